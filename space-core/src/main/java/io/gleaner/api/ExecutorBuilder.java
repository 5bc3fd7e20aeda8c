package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Says how a {@link MarketExecutor} pays and what it allows. Not for sharing between threads. */
public final class ExecutorBuilder {
  private static final int MEGABYTE = 1024 * 1024;

  private final Gleaner market;
  private String name = "calls";
  private double unitsPerCall = 1;
  private double mostUnitsPerCall = 60;
  private double budgetPerCall;
  private Duration timeLimit = Duration.ofHours(1);
  private int memoryMegabytes = 256;
  private int maxAttempts = 3;
  private int mostCallBytes = 16 * MEGABYTE;
  private int mostResultBytes = 16 * MEGABYTE;
  private final Set<Class<?>> classes = new LinkedHashSet<>();
  private final Set<String> packages = new LinkedHashSet<>();

  /** What was said, checked. */
  record Terms(
      String name,
      double unitsPerCall,
      double mostUnitsPerCall,
      double budgetPerCall,
      Duration timeLimit,
      int memoryMegabytes,
      int maxAttempts,
      int mostCallBytes,
      int mostResultBytes,
      Set<Class<?>> classes,
      Set<String> packages) {}

  ExecutorBuilder(Gleaner market) {
    this.market = market;
  }

  /** What people call its bags; {@code calls} unless said. */
  public ExecutorBuilder name(String name) {
    this.name = name;
    return this;
  }

  /** Expected work of one call in units, seconds of one reference core; 1 unless said. */
  public ExecutorBuilder unitsPerCall(double units) {
    unitsPerCall = positive("unitsPerCall", units);
    return this;
  }

  /** Work after which a call is stopped, and the most that is paid for it; 60 units unless said. */
  public ExecutorBuilder mostUnitsPerCall(double units) {
    mostUnitsPerCall = positive("mostUnitsPerCall", units);
    return this;
  }

  /**
   * Credits that are set aside for each call, and what it bids; what is not spent comes back. Zero
   * unless said, which buys nothing but in a market without prices.
   */
  public ExecutorBuilder budgetPerCall(double credits) {
    budgetPerCall = credits;
    return this;
  }

  /** Running time after which a call is stopped; an hour unless said. */
  public ExecutorBuilder timeLimit(Duration time) {
    timeLimit = time;
    return this;
  }

  /** Memory of one call; 256 MB unless said. */
  public ExecutorBuilder memoryMegabytes(int megabytes) {
    memoryMegabytes = megabytes;
    return this;
  }

  /** Faults after which a call fails for good; an exception of the call is none. 3 unless said. */
  public ExecutorBuilder maxAttempts(int attempts) {
    maxAttempts = attempts;
    return this;
  }

  /** Longest call as bytes, with all that it holds; 16 MB unless said. */
  public ExecutorBuilder mostCallBytes(int bytes) {
    mostCallBytes = (int) positive("mostCallBytes", bytes);
    return this;
  }

  /** Longest result as bytes; 16 MB unless said. */
  public ExecutorBuilder mostResultBytes(int bytes) {
    mostResultBytes = (int) positive("mostResultBytes", bytes);
    return this;
  }

  /** Classes to ship that the calls reach only by reflection. */
  public ExecutorBuilder ships(Class<?>... reached) {
    classes.addAll(List.of(reached));
    return this;
  }

  /**
   * Packages whose classes results may hold, besides the JDK's values and the package of the result
   * type that a call declares.
   */
  public ExecutorBuilder acceptsFrom(String... names) {
    packages.addAll(List.of(names));
    return this;
  }

  public MarketExecutor open() {
    return new MarketExecutor(
        market,
        new Terms(
            name,
            unitsPerCall,
            Math.max(unitsPerCall, mostUnitsPerCall),
            budgetPerCall,
            timeLimit,
            memoryMegabytes,
            maxAttempts,
            mostCallBytes,
            mostResultBytes,
            Set.copyOf(classes),
            Set.copyOf(packages)));
  }

  private static double positive(String what, double value) {
    if (!(value > 0)) {
      throw new GleanerException(Code.INVALID, what + " is " + value + ", expected more than 0");
    }
    return value;
  }
}

package io.gleaner.limits;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to a port whose other end has not shown yet who it is. There are so many of them
 * at a time; another one takes the place of the eldest of the address that has the most, so whoever
 * is silent keeps nobody out. Tells it in a line a minute at most. Safe for all threads.
 *
 * @param <C> a connection; two are never equal
 */
public final class Strangers<C> {
  private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);

  private final String port;
  private final int most;
  private final Rate lines;

  @GuardedBy("this")
  private final Map<C, Object> addresses = new HashMap<>();

  @GuardedBy("this")
  private final Map<Object, Set<C>> eldestFirst = new LinkedHashMap<>();

  @GuardedBy("this")
  private long ended;

  /**
   * @param port what they come to, as the log calls it
   * @param most how many there are at a time, at least one
   * @param nanos a clock that never goes back
   */
  public Strangers(String port, int most, LongSupplier nanos) {
    this.port = port;
    this.most = most;
    this.lines = new Rate(1, Duration.ofMinutes(1), nanos);
  }

  /**
   * One more is there.
   *
   * @param address where it comes from, without its port
   * @return the one that is none of them any more and has to be closed, if there are too many
   */
  public synchronized Optional<C> arrived(C stranger, Object address) {
    addresses.put(stranger, address);
    eldestFirst.computeIfAbsent(address, from -> new LinkedHashSet<>()).add(stranger);
    if (addresses.size() <= most) {
      return Optional.empty();
    }
    C leaving = eldestOfTheBusiest();
    Object from = addresses.get(leaving);
    left(leaving);
    ended++;
    if (lines.asks() == 0) {
      LOG.warn(
          "{} connections to {} were ended before they showed who they are, to let others in, the"
              + " last one of {}",
          ended,
          port,
          from);
      ended = 0;
    }
    return Optional.of(leaving);
  }

  /** It has shown who it is, or was closed. */
  public synchronized void left(C stranger) {
    Object address = addresses.remove(stranger);
    if (address != null) {
      Set<C> same = eldestFirst.get(address);
      same.remove(stranger);
      if (same.isEmpty()) {
        eldestFirst.remove(address);
      }
    }
  }

  /** How many there are. */
  public synchronized int count() {
    return addresses.size();
  }

  @GuardedBy("this")
  private C eldestOfTheBusiest() {
    Set<C> busiest = Set.of();
    for (Set<C> same : eldestFirst.values()) {
      if (same.size() > busiest.size()) {
        busiest = same;
      }
    }
    return busiest.iterator().next();
  }
}

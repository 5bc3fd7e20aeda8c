package io.gleaner.puller;

import io.gleaner.policy.LauncherException;
import io.gleaner.policy.OwnerPolicy;
import io.gleaner.signing.Signer;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How one launcher works; validated when made.
 *
 * @param launcherId its name in the market: letters, digits, dot, dash and underline, at most 64
 * @param site launchers of one network or owner share one
 * @param labels words that a bag may ask for
 * @param slots tasks at a time
 * @param memoryMegabytes memory for each slot
 * @param reserveMicrosPerUnit lowest price in micro-credits for one unit of work
 * @param signers the only ones whose programs it runs; empty for all that the pool vouches for
 * @param policy when the machine may work
 * @param dataFolder where it keeps its cache, its speed and its children's folders
 * @param cacheBytes what the cache may hold
 * @param microUnitsPerSecond speed of one slot, or 0 to measure it
 */
public record LauncherSettings(
    String launcherId,
    String site,
    List<String> labels,
    int slots,
    int memoryMegabytes,
    long reserveMicrosPerUnit,
    Set<Signer> signers,
    OwnerPolicy policy,
    Path dataFolder,
    long cacheBytes,
    long microUnitsPerSecond) {

  private static final String NAME = "[A-Za-z0-9._-]{1,64}";
  private static final int MOST_SLOTS = 1024;
  private static final int MOST_LABELS = 32;
  private static final int LEAST_MEGABYTES = 32;
  private static final int MOST_MEGABYTES = 1 << 20;
  private static final long GIGABYTE = 1L << 30;

  public LauncherSettings {
    labels = List.copyOf(labels);
    signers = Set.copyOf(signers);
    List<String> problems = new ArrayList<>();
    if (!launcherId.matches(NAME)) {
      problems.add(
          "the name is '" + launcherId + "', expected 1 to 64 letters, digits, '.', '-' or '_'");
    }
    if (!site.matches(NAME)) {
      problems.add("the site is '" + site + "', expected 1 to 64 letters, digits, '.', '-' or '_'");
    }
    for (String label : labels) {
      if (!label.matches(NAME)) {
        problems.add("the label '" + label + "' is no word of letters, digits, '.', '-' or '_'");
      }
    }
    if (labels.size() > MOST_LABELS) {
      problems.add("there are " + labels.size() + " labels, expected at most " + MOST_LABELS);
    }
    if (slots < 1 || slots > MOST_SLOTS) {
      problems.add("slots is " + slots + ", expected 1 to " + MOST_SLOTS);
    }
    if (memoryMegabytes < LEAST_MEGABYTES || memoryMegabytes > MOST_MEGABYTES) {
      problems.add(
          "memory for each slot is "
              + memoryMegabytes
              + " MB, expected "
              + LEAST_MEGABYTES
              + " to "
              + MOST_MEGABYTES
              + " MB");
    }
    if (reserveMicrosPerUnit < 0) {
      problems.add(
          "the reserve price is "
              + BigDecimal.valueOf(reserveMicrosPerUnit, 6).stripTrailingZeros().toPlainString()
              + " credits, expected zero or more");
    }
    if (cacheBytes < 0) {
      problems.add("the cache has " + cacheBytes + " bytes, expected zero or more");
    }
    if (microUnitsPerSecond < 0) {
      problems.add("the speed is " + microUnitsPerSecond + ", expected zero (measure) or more");
    }
    if (!problems.isEmpty()) {
      throw new LauncherException(
          LauncherException.Code.INVALID_SETTINGS,
          "The launcher's settings are not valid:",
          problems);
    }
  }

  /** One slot for each core, 256 MB for each, no reserve price, the conservative policy. */
  public static LauncherSettings of(String launcherId, Path dataFolder) {
    return new LauncherSettings(
        launcherId,
        "default",
        List.of(),
        Runtime.getRuntime().availableProcessors(),
        256,
        0,
        Set.of(),
        OwnerPolicy.conservative(),
        dataFolder,
        GIGABYTE,
        0);
  }

  public LauncherSettings withName(String name) {
    return new LauncherSettings(
        name,
        site,
        labels,
        slots,
        memoryMegabytes,
        reserveMicrosPerUnit,
        signers,
        policy,
        dataFolder,
        cacheBytes,
        microUnitsPerSecond);
  }

  public LauncherSettings withSite(String name) {
    return new LauncherSettings(
        launcherId,
        name,
        labels,
        slots,
        memoryMegabytes,
        reserveMicrosPerUnit,
        signers,
        policy,
        dataFolder,
        cacheBytes,
        microUnitsPerSecond);
  }

  public LauncherSettings withLabels(List<String> words) {
    return new LauncherSettings(
        launcherId,
        site,
        words,
        slots,
        memoryMegabytes,
        reserveMicrosPerUnit,
        signers,
        policy,
        dataFolder,
        cacheBytes,
        microUnitsPerSecond);
  }

  public LauncherSettings withSlots(int number, int megabytesEach) {
    return new LauncherSettings(
        launcherId,
        site,
        labels,
        number,
        megabytesEach,
        reserveMicrosPerUnit,
        signers,
        policy,
        dataFolder,
        cacheBytes,
        microUnitsPerSecond);
  }

  public LauncherSettings withReserve(long microsPerUnit) {
    return new LauncherSettings(
        launcherId,
        site,
        labels,
        slots,
        memoryMegabytes,
        microsPerUnit,
        signers,
        policy,
        dataFolder,
        cacheBytes,
        microUnitsPerSecond);
  }

  public LauncherSettings withPolicy(OwnerPolicy rules) {
    return new LauncherSettings(
        launcherId,
        site,
        labels,
        slots,
        memoryMegabytes,
        reserveMicrosPerUnit,
        signers,
        rules,
        dataFolder,
        cacheBytes,
        microUnitsPerSecond);
  }

  public LauncherSettings withSpeed(long microUnits) {
    return new LauncherSettings(
        launcherId,
        site,
        labels,
        slots,
        memoryMegabytes,
        reserveMicrosPerUnit,
        signers,
        policy,
        dataFolder,
        cacheBytes,
        microUnits);
  }

  public LauncherSettings withSigners(Set<Signer> trusted) {
    return new LauncherSettings(
        launcherId,
        site,
        labels,
        slots,
        memoryMegabytes,
        reserveMicrosPerUnit,
        trusted,
        policy,
        dataFolder,
        cacheBytes,
        microUnitsPerSecond);
  }
}

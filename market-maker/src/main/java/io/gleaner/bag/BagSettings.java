package io.gleaner.bag;

import io.gleaner.notice.NoticeSettings;
import java.time.Duration;

/**
 * How the bags of a node are kept.
 *
 * @param preparing how long a submission may take before the sweeper cancels what is left of it
 * @param sweep pause between two rounds of the sweeper
 * @param lockWait how long a cancel waits for commits of the bag that are under way
 * @param quiet a bag that ended is swept until nothing of it was seen for this long; must be longer
 *     than the lease of a launcher's transaction
 * @param coalesce changes of a bag within this time are told once
 * @param notices mail and webhooks
 */
public record BagSettings(
    Duration preparing,
    Duration sweep,
    Duration lockWait,
    Duration quiet,
    Duration coalesce,
    NoticeSettings notices) {

  public BagSettings {
    check("preparing", preparing, Duration.ofSeconds(1), Duration.ofDays(1));
    check("sweep", sweep, Duration.ofMillis(10), Duration.ofMinutes(10));
    check("lockWait", lockWait, Duration.ofMillis(10), Duration.ofSeconds(30));
    check("quiet", quiet, Duration.ofMillis(10), Duration.ofHours(1));
    check("coalesce", coalesce, Duration.ofMillis(1), Duration.ofSeconds(10));
    java.util.Objects.requireNonNull(notices, "notices");
  }

  /** What suits a node of any size. */
  public static BagSettings standard(NoticeSettings notices) {
    return new BagSettings(
        Duration.ofMinutes(10),
        Duration.ofSeconds(1),
        Duration.ofSeconds(15),
        Duration.ofSeconds(40),
        Duration.ofMillis(50),
        notices);
  }

  private static void check(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "bags: " + name + " = " + value + ", expected " + least + " to " + most);
    }
  }
}

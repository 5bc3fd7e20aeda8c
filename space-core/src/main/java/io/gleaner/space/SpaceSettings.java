package io.gleaner.space;

import io.gleaner.space.core.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of the space of one node, validated as a whole.
 *
 * @param member how it finds the other members
 * @param partitions Hazelcast partitions, one cell of the space each; the same in all members
 * @param partitionThreads threads that run the cells
 * @param limits what one command may have at most
 * @param storagePatience how long an operation waits for a storage that does not answer
 */
public record SpaceSettings(
    MemberSettings member,
    int partitions,
    int partitionThreads,
    Limits limits,
    Duration storagePatience) {
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(30);
  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(1);
  private static final Duration MOST_PATIENCE = Duration.ofDays(1);

  /** With the usual patience. */
  public SpaceSettings(MemberSettings member, int partitions, int partitionThreads, Limits limits) {
    this(member, partitions, partitionThreads, limits, USUAL_PATIENCE);
  }

  public SpaceSettings {
    List<String> wrong = new ArrayList<>();
    if (partitions < 1 || partitions > 10_000) {
      wrong.add("partitions is " + partitions + ", expected 1 to 10000");
    }
    if (partitionThreads < 1 || partitionThreads > 256) {
      wrong.add("partitionThreads is " + partitionThreads + ", expected 1 to 256");
    }
    if (storagePatience.compareTo(LEAST_PATIENCE) < 0
        || storagePatience.compareTo(MOST_PATIENCE) > 0) {
      wrong.add("storagePatience is " + storagePatience + ", expected 1 second to 1 day");
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("space settings: " + String.join("; ", wrong));
    }
  }

  /** What suits one node on this machine. */
  public static SpaceSettings defaults() {
    return of(MemberSettings.alone());
  }

  /** The same with other limits. */
  public SpaceSettings with(Limits other) {
    return new SpaceSettings(member, partitions, partitionThreads, other, storagePatience);
  }

  /** The same with another patience with its storage. */
  public SpaceSettings withStoragePatience(Duration other) {
    return new SpaceSettings(member, partitions, partitionThreads, limits, other);
  }

  /** What suits a member on this machine. */
  public static SpaceSettings of(MemberSettings member) {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    return new SpaceSettings(member, 271, threads, Limits.DEFAULT, USUAL_PATIENCE);
  }
}

package io.gleaner.space;

import io.gleaner.space.core.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of the space of one node, validated as a whole.
 *
 * @param member how it finds the other members
 * @param partitions Hazelcast partitions, one cell of the space each; the same in all members
 * @param partitionThreads threads that run the cells
 * @param limits what one command may have at most
 */
public record SpaceSettings(
    MemberSettings member, int partitions, int partitionThreads, Limits limits) {

  public SpaceSettings {
    List<String> wrong = new ArrayList<>();
    if (partitions < 1 || partitions > 10_000) {
      wrong.add("partitions is " + partitions + ", expected 1 to 10000");
    }
    if (partitionThreads < 1 || partitionThreads > 256) {
      wrong.add("partitionThreads is " + partitionThreads + ", expected 1 to 256");
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
    return new SpaceSettings(member, partitions, partitionThreads, other);
  }

  /** What suits a member on this machine. */
  public static SpaceSettings of(MemberSettings member) {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    return new SpaceSettings(member, 271, threads, Limits.DEFAULT);
  }
}

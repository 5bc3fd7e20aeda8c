package io.gleaner.book;

import java.util.Set;

/**
 * Equal slots that one launcher offers, as the market was told.
 *
 * @param site launchers of one network or owner
 * @param slots tasks it runs at a time, at least 1
 * @param microUnitsPerSecond speed of one slot
 * @param memoryMegabytes memory for each slot
 * @param kinds names of the task kinds that it runs
 * @param labels words that a bag may ask for
 * @param signers the only ones whose programs it runs; empty for all that the pool knows
 * @param refused SHA-256 of the signed manifests of programs that it found not to be run there
 * @param reserveMicrosPerUnit lowest price, at least 0
 * @param version changes whenever anything else here does
 */
public record Offer(
    String launcherId,
    String owner,
    String site,
    int slots,
    long microUnitsPerSecond,
    int memoryMegabytes,
    Set<String> kinds,
    Set<String> labels,
    Set<String> signers,
    Set<String> refused,
    long reserveMicrosPerUnit,
    long version) {
  public Offer {
    kinds = Set.copyOf(kinds);
    labels = Set.copyOf(labels);
    signers = Set.copyOf(signers);
    refused = Set.copyOf(refused);
    if (slots < 1 || reserveMicrosPerUnit < 0) {
      throw new IllegalArgumentException(
          "offer of " + launcherId + ": slots " + slots + ", reserve " + reserveMicrosPerUnit);
    }
  }

  /** Of a launcher that refuses nothing. */
  public Offer(
      String launcherId,
      String owner,
      String site,
      int slots,
      long microUnitsPerSecond,
      int memoryMegabytes,
      Set<String> kinds,
      Set<String> labels,
      Set<String> signers,
      long reserveMicrosPerUnit,
      long version) {
    this(
        launcherId,
        owner,
        site,
        slots,
        microUnitsPerSecond,
        memoryMegabytes,
        kinds,
        labels,
        signers,
        Set.of(),
        reserveMicrosPerUnit,
        version);
  }
}

package io.gleaner.book;

import java.util.Set;

/**
 * What a bag needs of a slot. Bags with equal requirements are one class of eligibility and trade
 * in one book.
 *
 * @param kind name of the task kind
 * @param memoryMegabytes memory that one task needs
 * @param runOn {@code site:x}, {@code owner:y} or {@code label:z}: any of them will do, and
 *     everybody will if it is empty
 * @param signer who signed the program
 * @param program the SHA-256 of its signed manifest, if some launcher refuses to run it; else empty
 */
public record Requirements(
    String kind, int memoryMegabytes, Set<String> runOn, String signer, String program) {
  public Requirements {
    runOn = Set.copyOf(runOn);
  }

  /** Of a program that nobody refuses. */
  public Requirements(String kind, int memoryMegabytes, Set<String> runOn, String signer) {
    this(kind, memoryMegabytes, runOn, signer, "");
  }
}

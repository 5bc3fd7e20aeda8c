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
 */
public record Requirements(String kind, int memoryMegabytes, Set<String> runOn, String signer) {
  public Requirements {
    runOn = Set.copyOf(runOn);
  }
}

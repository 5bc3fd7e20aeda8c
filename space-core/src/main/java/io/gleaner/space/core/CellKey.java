package io.gleaner.space.core;

import java.security.SecureRandom;

/**
 * The secret from which a cell makes the numbers that name leases, transactions and sessions: who
 * knows such a number may use what it names, so it must not be guessed from others. Another one for
 * every start.
 */
public record CellKey(long first, long second) {

  public static CellKey random(SecureRandom random) {
    return new CellKey(random.nextLong(), random.nextLong());
  }

  /** A number of 64 bits for the counter that nobody without the key tells from a random one. */
  long numberOf(long counter) {
    return new SipHash(first, second).add(counter).end();
  }

  @Override
  public String toString() {
    return "CellKey[secret]";
  }
}

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

  /**
   * A number of 64 bits for the counter that nobody without the key tells from a random one.
   * Source: Aumasson and Bernstein, SipHash-2-4, here of one block of eight bytes.
   */
  long numberOf(long counter) {
    long v0 = first ^ 0x736f6d6570736575L;
    long v1 = second ^ 0x646f72616e646f6dL;
    long v2 = first ^ 0x6c7967656e657261L;
    long v3 = second ^ 0x7465646279746573L;
    long[] blocks = {counter, 8L << 56};
    for (int round = 0; round < 8; round++) {
      if (round == 0 || round == 2) {
        v3 ^= blocks[round / 2];
      }
      if (round == 4) {
        v2 ^= 0xff;
      }
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
      if (round == 1 || round == 3) {
        v0 ^= blocks[round / 2];
      }
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  @Override
  public String toString() {
    return "CellKey[secret]";
  }
}

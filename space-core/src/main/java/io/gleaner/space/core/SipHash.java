package io.gleaner.space.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A hash of 64 bits that nobody without the key tells from a random number; for one use and one
 * thread. Values are added in whole words, lengths first, so no two sequences are one. Source:
 * Aumasson and Bernstein, SipHash-2-4.
 */
final class SipHash {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int CHARS_IN_A_WORD = 4;

  private long v0;
  private long v1;
  private long v2;
  private long v3;
  private long bytes;

  SipHash(long first, long second) {
    v0 = first ^ 0x736f6d6570736575L;
    v1 = second ^ 0x646f72616e646f6dL;
    v2 = first ^ 0x6c7967656e657261L;
    v3 = second ^ 0x7465646279746573L;
  }

  SipHash add(long word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
    bytes += Long.BYTES;
    return this;
  }

  SipHash add(boolean flag) {
    return add(flag ? 1 : 0);
  }

  SipHash add(String text) {
    add(text.length());
    for (int at = 0; at < text.length(); at += CHARS_IN_A_WORD) {
      long word = 0;
      for (int i = at; i < Math.min(at + CHARS_IN_A_WORD, text.length()); i++) {
        word = word << Character.SIZE | text.charAt(i);
      }
      add(word);
    }
    return this;
  }

  /** Bytes or null. */
  SipHash add(byte[] value) {
    if (value == null) {
      return add(-1);
    }
    add(value.length);
    int at = 0;
    for (; at + Long.BYTES <= value.length; at += Long.BYTES) {
      add((long) WORDS.get(value, at));
    }
    if (at < value.length) {
      long word = 0;
      for (; at < value.length; at++) {
        word = word << Byte.SIZE | (value[at] & 0xff);
      }
      add(word);
    }
    return this;
  }

  long end() {
    add(bytes << 56);
    v2 ^= 0xff;
    for (int i = 0; i < 4; i++) {
      round();
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void round() {
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
  }
}

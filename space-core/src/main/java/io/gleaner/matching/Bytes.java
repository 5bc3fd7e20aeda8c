package io.gleaner.matching;

import java.util.Arrays;

/** Bytes being written, in big-endian order with variable-length counts; for one thread. */
final class Bytes {
  private byte[] buffer = new byte[32];
  private int length;

  void put(int value) {
    room(1);
    buffer[length++] = (byte) value;
  }

  void putShort(int value) {
    put(value >>> 8);
    put(value);
  }

  void putInt(int value) {
    putShort(value >>> 16);
    putShort(value);
  }

  void putLong(long value) {
    putInt((int) (value >>> 32));
    putInt((int) value);
  }

  /** A count of at least 0, in as few bytes as it needs, so that it has one form only. */
  void putCount(int count) {
    int rest = count;
    while (rest > 0x7f) {
      put((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    put(rest);
  }

  void putAll(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, buffer, length, bytes.length);
    length += bytes.length;
  }

  byte[] toArray() {
    return Arrays.copyOf(buffer, length);
  }

  private void room(int more) {
    if (length + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
    }
  }
}

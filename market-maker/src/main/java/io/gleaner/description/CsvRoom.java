package io.gleaner.description;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What the CSV files of one bag may hold together: their rows stay in memory while the bag is open.
 * A file that several parameters name counts for each of them. For one thread.
 */
final class CsvRoom {
  static final long MAX_BYTES = 64L * 1024 * 1024;
  static final int MAX_VALUES = 10_000_000;

  private long bytesLeft = MAX_BYTES;
  private int valuesLeft = MAX_VALUES;

  /** Counts the values of a row; whether there was room for them. */
  boolean takes(int values) {
    valuesLeft -= values;
    return valuesLeft >= 0;
  }

  /** Reads on until there is no room. */
  InputStream bounded(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        int count = super.read(to, offset, length);
        bytesLeft -= Math.max(0, count);
        if (bytesLeft < 0) {
          throw new Full();
        }
        return count;
      }
    };
  }

  /** There was no room for more bytes. */
  static final class Full extends IOException {
    private static final long serialVersionUID = 1L;
  }
}

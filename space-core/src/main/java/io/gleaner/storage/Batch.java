package io.gleaner.storage;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of one row of {@code journal_batch}. A directory lists runs, each (cell, first number,
 * how many records, how many bytes, milliseconds since 1970); the records of all runs follow each
 * other, each after its length.
 */
final class Batch {
  private static final int RUN_BYTES = 4 + 8 + 4 + 4 + 8;

  /**
   * Records of one cell with numbers that follow each other, at an offset of the records.
   *
   * @param millis the time of day at which they came
   */
  record Run(int cell, long first, int count, int bytes, long millis, int offset) {
    long last() {
      return first + count - 1;
    }
  }

  private Batch() {}

  static int bytesOf(List<byte[]> records) {
    int bytes = 0;
    for (byte[] each : records) {
      bytes = Math.addExact(bytes, 4 + each.length);
    }
    return bytes;
  }

  static byte[] directory(List<Append> appends) {
    ByteBuffer out = ByteBuffer.allocate(appends.size() * RUN_BYTES);
    for (Append append : appends) {
      out.putInt(append.cell())
          .putLong(append.first())
          .putInt(append.records().size())
          .putInt(append.bytes())
          .putLong(append.millis());
    }
    return out.array();
  }

  static byte[] records(List<Append> appends) {
    int bytes = 0;
    for (Append append : appends) {
      bytes = Math.addExact(bytes, append.bytes());
    }
    ByteBuffer out = ByteBuffer.allocate(bytes);
    for (Append append : appends) {
      for (byte[] each : append.records()) {
        out.putInt(each.length).put(each);
      }
    }
    return out.array();
  }

  static List<Run> runs(byte[] directory) {
    ByteBuffer in = ByteBuffer.wrap(directory);
    List<Run> runs = new ArrayList<>(directory.length / RUN_BYTES);
    int offset = 0;
    while (in.hasRemaining()) {
      Run run = new Run(in.getInt(), in.getLong(), in.getInt(), in.getInt(), in.getLong(), offset);
      runs.add(run);
      offset += run.bytes();
    }
    return runs;
  }

  static List<byte[]> recordsOf(Run run, byte[] records) {
    ByteBuffer in = ByteBuffer.wrap(records, run.offset(), run.bytes());
    List<byte[]> found = new ArrayList<>(run.count());
    for (int i = 0; i < run.count(); i++) {
      byte[] each = new byte[in.getInt()];
      in.get(each);
      found.add(each);
    }
    return found;
  }
}

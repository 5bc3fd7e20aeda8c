package io.gleaner.api.calls;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The calls of one bag in one file, of which each task reads its own: the number of calls (int),
 * where each begins and the last one ends (longs, from the begin of the first), the calls.
 */
public final class CallFile {
  private CallFile() {}

  public static byte[] write(List<byte[]> calls) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(calls.size());
      long begin = 0;
      for (byte[] call : calls) {
        out.writeLong(begin);
        begin += call.length;
      }
      out.writeLong(begin);
      for (byte[] call : calls) {
        out.write(call);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  static byte[] read(Path path, int index) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      int count = file.readInt();
      if (index < 0 || index >= count) {
        throw new IOException("there is no call " + index + " among " + count);
      }
      file.seek(Integer.BYTES + (long) Long.BYTES * index);
      long begin = file.readLong();
      long end = file.readLong();
      long base = Integer.BYTES + (long) Long.BYTES * (count + 1L);
      if (begin < 0 || end < begin || base + end > file.length()) {
        throw new IOException("the file of calls is damaged at call " + index);
      }
      byte[] call = new byte[Math.toIntExact(end - begin)];
      file.seek(base + begin);
      file.readFully(call);
      return call;
    }
  }
}

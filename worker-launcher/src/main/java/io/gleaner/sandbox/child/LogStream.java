package io.gleaner.sandbox.child;

import java.io.OutputStream;
import java.util.Arrays;

/** What a task prints, sent by lines or blocks; safe for all threads. */
final class LogStream extends OutputStream {
  private static final int BLOCK = 4096;
  private final Outbound out;
  private final byte[] block = new byte[BLOCK];
  private int length;

  LogStream(Outbound out) {
    this.out = out;
  }

  @Override
  public synchronized void write(int b) {
    block[length++] = (byte) b;
    if (length == BLOCK || b == '\n') {
      flush();
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int count) {
    int offset = from;
    int left = count;
    while (left > 0) {
      int part = Math.min(left, BLOCK - length);
      System.arraycopy(bytes, offset, block, length, part);
      length += part;
      offset += part;
      left -= part;
      if (length == BLOCK) {
        flush();
      }
    }
  }

  @Override
  public synchronized void flush() {
    if (length > 0) {
      out.send(new Frame(Frame.Type.LOG, Arrays.copyOf(block, length)));
      length = 0;
    }
  }
}

package io.gleaner.sandbox.child;

import java.io.DataInputStream;
import java.io.IOException;

/**
 * How a task ended, in a RESULT or FAILURE message.
 *
 * @param cpuMicros CPU time of the task's threads
 * @param clean whether no thread of the task is left, so that the child may run another
 * @param content the result, or the reason as UTF-8
 */
public record Ended(long cpuMicros, boolean clean, byte[] content) {

  Frame frame(Frame.Type type) {
    return new Frame(
        type,
        Wire.bytes(
            out -> {
              out.writeLong(cpuMicros);
              out.writeBoolean(clean);
              Wire.writeBlock(out, content);
            }));
  }

  public static Ended of(Frame frame) throws IOException {
    DataInputStream in = Wire.reader(frame);
    return new Ended(in.readLong(), in.readBoolean(), Wire.readBlock(in));
  }
}

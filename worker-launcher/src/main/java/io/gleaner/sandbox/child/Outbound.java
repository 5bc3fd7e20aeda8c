package io.gleaner.sandbox.child;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Where the child's messages leave; all threads of a task may send. */
final class Outbound {
  private final DataOutputStream out;

  Outbound(OutputStream out) {
    this.out = new DataOutputStream(new java.io.BufferedOutputStream(out, 1 << 16));
  }

  synchronized void send(Frame frame) {
    try {
      frame.write(out);
    } catch (IOException e) {
      // Nobody listens any more: the launcher is gone, and so must this process be.
      Runtime.getRuntime().halt(ChildMain.ORPHANED);
    }
  }

  void send(Frame.Type type, long value) {
    send(new Frame(type, ByteBuffer.allocate(Long.BYTES).putLong(value).array()));
  }

  void send(Frame.Type type, double value) {
    send(new Frame(type, ByteBuffer.allocate(Double.BYTES).putDouble(value).array()));
  }
}

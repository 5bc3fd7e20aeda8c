package io.gleaner.sandbox.child;

import java.io.DataInputStream;
import java.io.IOException;

/**
 * The program that a child shall run.
 *
 * @param bundle path of the jar
 * @param digest its SHA-256, verified before anything of it is loaded
 * @param entryPoint the class that implements {@code io.gleaner.api.Task}
 * @param outputLimitBytes longest result
 * @param checkpointLimitBytes longest checkpoint
 */
public record Hello(
    String bundle,
    String digest,
    String entryPoint,
    int outputLimitBytes,
    int checkpointLimitBytes) {

  public Frame frame() {
    return new Frame(
        Frame.Type.HELLO,
        Wire.bytes(
            out -> {
              Wire.writeText(out, bundle);
              Wire.writeText(out, digest);
              Wire.writeText(out, entryPoint);
              out.writeInt(outputLimitBytes);
              out.writeInt(checkpointLimitBytes);
            }));
  }

  static Hello of(Frame frame) throws IOException {
    DataInputStream in = Wire.reader(frame);
    return new Hello(
        Wire.readText(in), Wire.readText(in), Wire.readText(in), in.readInt(), in.readInt());
  }
}

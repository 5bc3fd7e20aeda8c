package io.gleaner.sandbox.child;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A task that a child shall run.
 *
 * @param inputs parameter name to path of the local copy
 * @param checkpoint what an earlier attempt saved, or no element
 */
public record Run(
    int taskIndex,
    int attempt,
    Map<String, String> parameters,
    Map<String, String> inputs,
    List<byte[]> checkpoint) {

  public Run {
    parameters = Map.copyOf(parameters);
    inputs = Map.copyOf(inputs);
    checkpoint = List.copyOf(checkpoint);
  }

  public Frame frame() {
    return new Frame(
        Frame.Type.RUN,
        Wire.bytes(
            out -> {
              out.writeInt(taskIndex);
              out.writeInt(attempt);
              Wire.writeMap(out, parameters);
              Wire.writeMap(out, inputs);
              out.writeBoolean(!checkpoint.isEmpty());
              for (byte[] state : checkpoint) {
                Wire.writeBlock(out, state);
              }
            }));
  }

  static Run of(Frame frame) throws IOException {
    DataInputStream in = Wire.reader(frame);
    return new Run(
        in.readInt(),
        in.readInt(),
        Wire.readMap(in),
        Wire.readMap(in),
        in.readBoolean() ? List.of(Wire.readBlock(in)) : List.of());
  }
}

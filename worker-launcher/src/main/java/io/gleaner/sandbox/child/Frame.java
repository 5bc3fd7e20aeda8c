package io.gleaner.sandbox.child;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/**
 * One message between launcher and child: four bytes of length, one byte of type, the payload.
 *
 * @param payload shared, must not be changed
 */
public record Frame(Type type, byte[] payload) {

  /** What a message says, with its byte on the wire. */
  public enum Type {
    /** Launcher: the program to load. */
    HELLO(1),
    /** Launcher: a task to run. */
    RUN(2),
    /** Child: the program is loaded. */
    READY(3),
    /** Child: the program cannot be loaded; the payload says why. */
    REFUSED(4),
    /** Child: how far the task is, a double. */
    PROGRESS(5),
    /** Child: the state to go on from. */
    CHECKPOINT(6),
    /** Child: CPU time of the task so far in microseconds, a long. */
    METER(7),
    /** Child: bytes that the task printed. */
    LOG(8),
    /** Child: the task returned; see {@link Ended}. */
    RESULT(9),
    /** Child: the task threw; see {@link Ended}. */
    FAILURE(10);

    private final int code;

    Type(int code) {
      this.code = code;
    }

    static Type of(int code) throws IOException {
      for (Type type : TYPES) {
        if (type.code == code) {
          return type;
        }
      }
      throw new IOException("a message has the unknown type " + code);
    }
  }

  private static final Type[] TYPES = Type.values();

  /**
   * Reads one message; empty at the end of the stream.
   *
   * @param maxBytes longest payload that is accepted
   * @throws IOException if the stream breaks or what it holds is no message
   */
  public static Optional<Frame> read(DataInputStream in, int maxBytes) throws IOException {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException e) {
      return Optional.empty();
    }
    if (length < 1 || length - 1 > maxBytes) {
      throw new IOException(
          "a message claims " + length + " bytes, at most " + maxBytes + " are accepted");
    }
    Type type = Type.of(in.readUnsignedByte());
    byte[] payload = new byte[length - 1];
    in.readFully(payload);
    return Optional.of(new Frame(type, payload));
  }

  /** Writes the message and flushes. */
  public void write(DataOutputStream out) throws IOException {
    out.writeInt(payload.length + 1);
    out.writeByte(type.code);
    out.write(payload);
    out.flush();
  }
}

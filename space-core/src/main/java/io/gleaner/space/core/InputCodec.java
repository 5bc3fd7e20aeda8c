package io.gleaner.space.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Inputs as bytes and back, for replicas and logs; safe for all threads. The first number of the
 * bytes is that of the format.
 */
public final class InputCodec {

  /** Raised with every change of the form of inputs or messages. */
  public static final int FORMAT = 11;

  private InputCodec() {}

  /** The inputs of one cell, in their order; together they are shorter than one by one. */
  public static byte[] encode(List<Input> inputs) {
    List<byte[]> whole = new ArrayList<>(1);
    StateWriter to = new StateWriter(Integer.MAX_VALUE - 8, whole::add);
    to.count(FORMAT);
    to.list(inputs, InputCodec::write);
    to.close();
    return whole.get(0);
  }

  /**
   * What was encoded.
   *
   * @throws IllegalArgumentException if the bytes are of another format or of none
   */
  public static List<Input> decode(byte[] bytes) {
    StateReader from = new StateReader(List.of(bytes).iterator());
    checkFormat(from);
    List<Input> inputs = from.list(InputCodec::read);
    from.end();
    return inputs;
  }

  /** One message, such as a letter to a cell of another member. */
  public static byte[] encode(Message message) {
    List<byte[]> whole = new ArrayList<>(1);
    StateWriter to = new StateWriter(Integer.MAX_VALUE - 8, whole::add);
    to.count(FORMAT);
    MessageCodec.write(to, message);
    to.close();
    return whole.get(0);
  }

  /**
   * One message; it has the caller {@link Caller#NOBODY} if it asks for an answer.
   *
   * @throws IllegalArgumentException if the bytes are of another format or of none
   */
  public static Message decodeMessage(byte[] bytes) {
    StateReader from = new StateReader(List.of(bytes).iterator());
    checkFormat(from);
    Message message = MessageCodec.read(from);
    from.end();
    return message;
  }

  private static void checkFormat(StateReader from) {
    int format = from.size();
    if (format != FORMAT) {
      throw new IllegalArgumentException(
          "inputs of format "
              + format
              + ", expected "
              + FORMAT
              + "; use the version that wrote them");
    }
  }

  private static void write(StateWriter to, Input input) {
    to.number(input.number());
    to.number(input.nowNanos());
    if (input.step() instanceof Input.Deliver deliver) {
      to.count(1);
      MessageCodec.write(to, deliver.message());
    } else if (input.step() instanceof Input.WakeUp) {
      to.count(2);
    } else if (input.step() instanceof Input.TakeOver) {
      to.count(3);
    } else if (input.step() instanceof Input.Restart restart) {
      to.count(4);
      Image.limits(to, restart.limits());
      to.number(restart.awayMillis());
    }
  }

  private static Input read(StateReader from) {
    long number = from.number();
    long nowNanos = from.number();
    int kind = from.size();
    Input.Step step =
        switch (kind) {
          case 1 -> new Input.Deliver(MessageCodec.read(from));
          case 2 -> new Input.WakeUp();
          case 3 -> new Input.TakeOver();
          case 4 -> new Input.Restart(Image.limits(from), from.number());
          default -> throw StateReader.malformed("an input is of kind " + kind);
        };
    return new Input(number, nowNanos, step);
  }
}

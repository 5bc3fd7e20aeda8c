package io.gleaner.gateway;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Cuts a stream of bytes into frames: four bytes of length, then the message. For one thread at a
 * time.
 *
 * <p>At most one frame and what arrived behind it is held; a frame that says it is longer than the
 * limit is refused before its bytes are waited for.
 */
final class FrameSplitter {
  private static final byte[] NOTHING = {};

  private byte[] bytes = NOTHING;
  private int from;
  private int to;
  private int limitBytes;

  FrameSplitter(int limitBytes) {
    this.limitBytes = limitBytes;
  }

  void limit(int bytes) {
    limitBytes = bytes;
  }

  /** Adds what arrived; the array is no longer the caller's. */
  void add(byte[] arrived) {
    if (from == to) {
      bytes = arrived;
      from = 0;
      to = arrived.length;
      return;
    }
    int held = to - from;
    if (bytes.length - to < arrived.length) {
      // Twice as much, so that a long frame is not copied again for each of its pieces.
      long room = Math.min(2L * held, Protocol.LENGTH_BYTES + awaitedBytes());
      byte[] longer = new byte[(int) Math.max(held + arrived.length, room)];
      System.arraycopy(bytes, from, longer, 0, held);
      bytes = longer;
      from = 0;
      to = held;
    }
    System.arraycopy(arrived, 0, bytes, to, arrived.length);
    to += arrived.length;
  }

  /** The next whole message, or empty until more bytes come. */
  Optional<byte[]> next() throws FrameTooLarge {
    int available = to - from;
    if (available < Protocol.LENGTH_BYTES) {
      return Optional.empty();
    }
    long length = awaitedBytes();
    if (length > limitBytes) {
      throw new FrameTooLarge(length, limitBytes);
    }
    if (available - Protocol.LENGTH_BYTES < length) {
      return Optional.empty();
    }
    int start = from + Protocol.LENGTH_BYTES;
    from = start + (int) length;
    byte[] message = Arrays.copyOfRange(bytes, start, from);
    if (from == to) {
      clear();
    }
    return Optional.of(message);
  }

  /** What waits here takes so much memory. */
  int heldBytes() {
    return bytes.length;
  }

  /** Forgets what came. */
  void clear() {
    bytes = NOTHING;
    from = 0;
    to = 0;
  }

  /** How long the next frame says it is. */
  private long awaitedBytes() {
    return to - from < Protocol.LENGTH_BYTES
        ? 0
        : Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt(from));
  }

  /** A frame longer than the limit. */
  static final class FrameTooLarge extends Exception {
    private static final long serialVersionUID = 1L;

    FrameTooLarge(long lengthBytes, int limitBytes) {
      super("a frame of " + lengthBytes + " bytes; at most " + limitBytes + " are allowed here");
    }
  }
}

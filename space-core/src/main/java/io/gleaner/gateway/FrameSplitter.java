package io.gleaner.gateway;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * Cuts a stream of bytes into frames: four bytes of length, then the message. For one thread.
 *
 * <p>At most one frame and what arrived behind it is held; a frame that says it is longer than the
 * limit is refused before its bytes are waited for.
 */
final class FrameSplitter {
  private Buffer pending = Buffer.buffer();
  private int position;
  private int limitBytes;

  FrameSplitter(int limitBytes) {
    this.limitBytes = limitBytes;
  }

  void limit(int bytes) {
    limitBytes = bytes;
  }

  void add(Buffer bytes) {
    if (position == pending.length()) {
      pending = bytes;
    } else {
      if (position > 0) {
        pending = pending.getBuffer(position, pending.length());
      }
      pending.appendBuffer(bytes);
    }
    position = 0;
  }

  /** The next whole message, or empty until more bytes come. */
  Optional<byte[]> next() throws FrameTooLarge {
    int available = pending.length() - position;
    if (available < Protocol.LENGTH_BYTES) {
      return Optional.empty();
    }
    long length = pending.getUnsignedInt(position);
    if (length > limitBytes) {
      throw new FrameTooLarge(length, limitBytes);
    }
    if (available - Protocol.LENGTH_BYTES < length) {
      return Optional.empty();
    }
    int start = position + Protocol.LENGTH_BYTES;
    position = start + (int) length;
    byte[] message = pending.getBytes(start, position);
    if (position == pending.length()) {
      pending = Buffer.buffer();
      position = 0;
    }
    return Optional.of(message);
  }

  /** A frame longer than the limit. */
  static final class FrameTooLarge extends Exception {
    private static final long serialVersionUID = 1L;

    FrameTooLarge(long lengthBytes, int limitBytes) {
      super("a frame of " + lengthBytes + " bytes; at most " + limitBytes + " are allowed here");
    }
  }
}

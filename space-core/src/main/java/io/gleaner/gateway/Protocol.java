package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.blob.Incoming;

/** What both ends of the protocol have to agree on; {@code docs/protocol.md} explains it. */
final class Protocol {
  static final int LOWEST_VERSION = 4;
  static final int HIGHEST_VERSION = 4;

  static final int LENGTH_BYTES = 4;
  static final int HELLO_FRAME_BYTES = 4 * 1024;
  static final int BLOB_CHUNK_BYTES = Incoming.CHUNK_BYTES;
  static final int BLOB_WINDOW_CHUNKS = 8;

  /** An answer with more bytes of entries than this is sent in several frames. */
  static final int ANSWER_PART_BYTES = 512 * 1024;

  private Protocol() {}

  /** Refuses a message with fields that this version does not have. */
  static void requireKnown(Message message) throws MalformedFrame {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw new MalformedFrame(
          "a "
              + message.getDescriptorForType().getName()
              + " has unknown fields "
              + message.getUnknownFields().asMap().keySet());
    }
  }

  static void require(boolean holds, String otherwise) throws MalformedFrame {
    if (!holds) {
      throw new MalformedFrame(otherwise);
    }
  }
}

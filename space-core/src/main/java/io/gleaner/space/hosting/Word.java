package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;

/** What members tell each other about a cell. Values only. */
sealed interface Word {

  /**
   * A message for the cell, to its owner.
   *
   * @param asker who waits for the answer; null if it is the member that sends this
   * @param question 0 unless somebody waits
   */
  record Delivered(Address asker, long question, byte[] message) implements Word {}

  /**
   * Inputs that the owner has carried out, to its replica; without any, it asks for a sign.
   *
   * @param first the number of the first of them, or of the next one that there will be
   * @param inputs as {@link io.gleaner.space.core.InputCodec} writes them, or empty
   * @param questions for each input the question that was asked at the replica, or 0; empty if
   *     there is none at all
   * @param waiting whether the owner withholds something until it knows that the replica has them
   */
  record Inputs(long first, byte[] inputs, long[] questions, boolean waiting) implements Word {}

  /** The replica has all inputs up to this number. */
  record Applied(long number) implements Word {}

  /** The replica has a gap and needs an image. */
  record WantImage() implements Word {}

  /**
   * A part of an image of the cell, made at that time of the cell; parts come in order.
   *
   * @param owned whether the owner of the cell made it, and not somebody who was about to be that
   */
  record Chunk(long image, int part, int parts, long timeNanos, boolean owned, byte[] bytes)
      implements Word {}

  /** The reply to a request. */
  record Answered(long question, byte[] reply) implements Word {}

  /** The session that was asked for. */
  record Opened(long question, long session, long leaseMillis) implements Word {}

  record Closed(long question) implements Word {}

  /** An event for a session that may be attached to the receiver. */
  record Hinted(long session, byte[] event) implements Word {}

  static void write(Word word, ObjectDataOutput out) throws IOException {
    if (word instanceof Delivered w) {
      out.writeByte(1);
      out.writeObject(w.asker());
      out.writeLong(w.question());
      out.writeByteArray(w.message());
    } else if (word instanceof Inputs w) {
      out.writeByte(2);
      out.writeLong(w.first());
      out.writeByteArray(w.inputs());
      out.writeLongArray(w.questions());
      out.writeBoolean(w.waiting());
    } else if (word instanceof Applied w) {
      out.writeByte(3);
      out.writeLong(w.number());
    } else if (word instanceof WantImage) {
      out.writeByte(4);
    } else if (word instanceof Chunk w) {
      out.writeByte(5);
      out.writeLong(w.image());
      out.writeInt(w.part());
      out.writeInt(w.parts());
      out.writeLong(w.timeNanos());
      out.writeBoolean(w.owned());
      out.writeByteArray(w.bytes());
    } else if (word instanceof Answered w) {
      out.writeByte(6);
      out.writeLong(w.question());
      out.writeByteArray(w.reply());
    } else if (word instanceof Opened w) {
      out.writeByte(7);
      out.writeLong(w.question());
      out.writeLong(w.session());
      out.writeLong(w.leaseMillis());
    } else if (word instanceof Closed w) {
      out.writeByte(8);
      out.writeLong(w.question());
    } else if (word instanceof Hinted w) {
      out.writeByte(9);
      out.writeLong(w.session());
      out.writeByteArray(w.event());
    }
  }

  static Word read(ObjectDataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 1 -> new Delivered(in.readObject(), in.readLong(), in.readByteArray());
      case 2 -> new Inputs(in.readLong(), in.readByteArray(), in.readLongArray(), in.readBoolean());
      case 3 -> new Applied(in.readLong());
      case 4 -> new WantImage();
      case 5 ->
          new Chunk(
              in.readLong(),
              in.readInt(),
              in.readInt(),
              in.readLong(),
              in.readBoolean(),
              in.readByteArray());
      case 6 -> new Answered(in.readLong(), in.readByteArray());
      case 7 -> new Opened(in.readLong(), in.readLong(), in.readLong());
      case 8 -> new Closed(in.readLong());
      case 9 -> new Hinted(in.readLong(), in.readByteArray());
      default -> throw new IOException("a member sent a word of the unknown kind " + kind);
    };
  }
}

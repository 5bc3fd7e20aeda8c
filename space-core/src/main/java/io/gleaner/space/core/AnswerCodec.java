package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Answers and events as bytes and back, for other members; safe for all threads. */
public final class AnswerCodec {
  private AnswerCodec() {}

  public static byte[] encode(Reply reply) {
    return encode(to -> ReplyCodec.write(to, reply));
  }

  /**
   * What was encoded.
   *
   * @throws IllegalArgumentException if the bytes are no reply
   */
  public static Reply decodeReply(byte[] bytes) {
    return decode(bytes, ReplyCodec::read);
  }

  public static byte[] encode(SpaceEvent event) {
    return encode(
        to -> {
          to.secret(event.eventId());
          to.number(event.sequence());
          to.flag(event.becameVisible());
          to.flag(event.entry().isPresent());
          event.entry().ifPresent(to::entry);
        });
  }

  /**
   * What was encoded.
   *
   * @throws IllegalArgumentException if the bytes are no event
   */
  public static SpaceEvent decodeEvent(byte[] bytes) {
    return decode(
        bytes,
        from -> {
          long eventId = from.secret();
          long sequence = from.number();
          boolean becameVisible = from.flag();
          Optional<EncodedEntry> entry = from.flag() ? Optional.of(from.entry()) : Optional.empty();
          return new SpaceEvent(eventId, sequence, entry, becameVisible);
        });
  }

  private static byte[] encode(Consumer<StateWriter> content) {
    List<byte[]> whole = new ArrayList<>(1);
    StateWriter to = new StateWriter(Integer.MAX_VALUE - 8, whole::add);
    content.accept(to);
    to.close();
    return whole.get(0);
  }

  private static <T> T decode(byte[] bytes, Function<StateReader, T> content) {
    StateReader from = new StateReader(List.of(bytes).iterator());
    T value = content.apply(from);
    from.end();
    return value;
  }
}

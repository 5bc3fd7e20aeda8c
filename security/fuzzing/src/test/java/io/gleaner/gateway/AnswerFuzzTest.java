package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import io.gleaner.tuple.OfferEntry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** What a gateway sends: clients read it as an answer or an event. */
public class AnswerFuzzTest {

  @MethodSource("frames")
  @FuzzTest
  @Tag("S4")
  public void isRefusedOrMeansOneThing(byte[] message) throws Exception {
    try {
      Wire.ServerFrame frame = Cost.bounded(message.length, () -> Frames.readServer(message));
      if (frame.hasExecuted()) {
        Wire.Executed executed = frame.getExecuted();
        Reply reply = Cost.bounded(message.length, () -> ReplyFrames.read(List.of(executed)));
        List<Wire.Executed> again =
            ReplyFrames.write(executed.getSession(), executed.getSequence(), reply);
        assertThat(ReplyFrames.read(again)).isEqualTo(reply);
      } else if (frame.hasEvent()) {
        SpaceEvent event = Cost.bounded(message.length, () -> ReplyFrames.read(frame.getEvent()));
        assertThat(ReplyFrames.read(ReplyFrames.write(1, event))).isEqualTo(event);
      }
    } catch (MalformedFrame refused) {
      assertThat(refused).hasMessageNotContaining("Exception");
    }
  }

  public static Stream<byte[]> frames() {
    OfferEntry offer = new OfferEntry();
    offer.launcherId = "a";
    List<EncodedEntry> entries = List.of(EntryCodec.encode(offer));
    Reply.Granted granted = new Reply.Granted(new LeaseId(LeaseId.Kind.ENTRY, "h", 1), 2);
    Stream<Wire.ServerFrame> replies =
        Stream.<Reply>of(
                new Reply.Matched(entries),
                new Reply.Reserved(entries),
                new Reply.Listed(entries, "c"),
                new Reply.Written(List.of(granted)),
                new Reply.Registered(1, granted, 2),
                new Reply.EachLease(List.of(3L)),
                new Reply.Began(1, granted),
                new Reply.Done(),
                new Reply.Refused(Reply.Refusal.LIMIT, "no"))
            .flatMap(reply -> ReplyFrames.write(1, 2, reply).stream())
            .map(executed -> Frames.server().setExecuted(executed).build());
    Wire.Event event =
        ReplyFrames.write(1, new SpaceEvent(1, 2, Optional.of(entries.get(0)), true));
    return Corpus.with(
        AnswerFuzzTest.class,
        Stream.concat(replies, Stream.of(Frames.server().setEvent(event).build()))
            .map(Wire.ServerFrame::toByteArray));
  }
}

package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import io.gleaner.tuple.OfferEntry;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client sends: the stream is cut into frames, and each frame is read as a command. */
public class ClientFrameFuzzTest {
  private static final CommandLimits LIMITS = new CommandLimits(GatewaySettings.onPort(0));

  @MethodSource("frames")
  @FuzzTest
  @Tag("S4")
  public void isRefusedOrMeansOneThing(byte[] stream) throws Exception {
    FrameSplitter splitter = new FrameSplitter(1 << 16);
    int half = stream.length / 2;
    for (byte[] piece :
        List.of(Arrays.copyOf(stream, half), Arrays.copyOfRange(stream, half, stream.length))) {
      splitter.add(piece);
      try {
        for (Optional<byte[]> m = splitter.next(); m.isPresent(); m = splitter.next()) {
          byte[] message = m.get();
          Wire.ClientFrame frame = Cost.bounded(message.length, () -> Frames.readClient(message));
          if (frame.hasExecute()) {
            command(frame.getExecute(), message.length);
          } else if (frame.hasBlobPut()) {
            upload().offer(frame.getBlobPut());
          }
        }
      } catch (FrameSplitter.FrameTooLarge | MalformedFrame refused) {
        assertThat(refused).hasMessageNotContaining("Exception");
        return;
      }
    }
  }

  /** One of which nothing is written. */
  private static Upload upload() {
    return new Upload(
        1 << 20,
        () -> {
          throw new IOException("nothing is stored here");
        },
        turn -> {},
        new Upload.Told(written -> {}, given -> {}, digest -> {}, why -> {}));
  }

  private static void command(Wire.Execute frame, int bytes)
      throws MalformedFrame, InvalidProtocolBufferException {
    Command command = Cost.bounded(bytes, () -> CommandFrames.read(frame));
    assertThat(LIMITS.refusal(command)).isNotNull();
    assertThat(LIMITS.fitted(command)).isNotNull();
    byte[] again =
        CommandFrames.write(
                frame.getSession(), frame.getSequence(), frame.getLowestUnanswered(), command)
            .toByteArray();
    assertThat(CommandFrames.read(Wire.Execute.parseFrom(again))).isEqualTo(command);
  }

  public static Stream<byte[]> frames() {
    OfferEntry offer = new OfferEntry();
    offer.launcherId = "a";
    List<EncodedEntry> entries = List.of(EntryCodec.encode(offer));
    List<LeaseId> leases = List.of(new LeaseId(LeaseId.Kind.ENTRY, "h", 1));
    Stream<Wire.Execute> commands =
        Stream.<Command>of(
                new Command.Write("s", entries, List.of(1L), 0),
                new Command.Match("s", Command.Mode.TAKE, entries, 1, 2, 3, 0),
                new Command.Contents("s", entries, 1, "c", 2),
                new Command.Register("s", entries, 0, true, false, 5),
                new Command.RenewLease(leases.get(0), 5),
                new Command.CancelLease(leases.get(0)),
                new Command.RenewLeases(leases, List.of(5L)),
                new Command.CancelLeases(leases),
                new Command.Begin(4),
                new Command.Commit(3),
                new Command.CancelWait(2))
            .map(command -> CommandFrames.write(1, 2, 1, command));
    return Corpus.with(
        ClientFrameFuzzTest.class,
        Stream.concat(
                commands.map(each -> Frames.client().setExecute(each).build()),
                Stream.of(
                    Frames.client()
                        .setHello(Wire.Hello.newBuilder().setName("n").setLowestVersion(4))
                        .build(),
                    Frames.client()
                        .setBlobPut(
                            Wire.BlobPut.newBuilder()
                                .setChunk(ByteString.copyFromUtf8("blob"))
                                .setLast(true))
                        .build()))
            .map(frame -> Frames.encode(List.of(frame))));
  }
}

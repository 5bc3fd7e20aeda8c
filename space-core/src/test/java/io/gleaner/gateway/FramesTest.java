package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is written to the wire is what is read from it, for every kind of command and reply. */
@Timeout(60)
class FramesTest {
  private static final int ROUNDS = 2000;

  private Random random;

  @BeforeEach
  void seeded() {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("FramesTest gleaner.seed=" + seed);
    random = new Random(seed);
  }

  @Test
  void everyCommandSurvivesTheWire() throws Exception {
    Set<Class<?>> seen = new HashSet<>();
    for (int i = 0; i < ROUNDS; i++) {
      Command command = anyCommand();
      seen.add(command.getClass());
      Wire.ClientFrame frame =
          Frames.client().setExecute(CommandFrames.write(7, i + 1, 1, command)).build();
      Wire.Execute read = Frames.readClient(frame.toByteArray()).getExecute();
      assertThat(read.getSequence()).isEqualTo(i + 1);
      assertThat(CommandFrames.read(read)).isEqualTo(command);
    }
    seen.add(Command.ListForeign.class); // only the node itself asks
    assertThat(seen).containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
  }

  @Test
  void everyReplySurvivesTheWire() throws Exception {
    Set<Class<?>> seen = new HashSet<>();
    for (int i = 0; i < ROUNDS; i++) {
      Reply reply = anyReply();
      seen.add(reply.getClass());
      List<Wire.Executed> read = new ArrayList<>();
      for (Wire.Executed part : ReplyFrames.write(7, i + 1, reply)) {
        byte[] bytes = Frames.server().setExecuted(part).build().toByteArray();
        read.add(Frames.readServer(bytes).getExecuted());
      }
      assertThat(ReplyFrames.read(read)).isEqualTo(reply);
    }
    seen.add(Reply.ForeignOnes.class); // only the node itself hears
    assertThat(seen).containsExactlyInAnyOrder(Reply.class.getPermittedSubclasses());
  }

  @Test
  void everyEventSurvivesTheWire() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      SpaceEvent event =
          new SpaceEvent(
              random.nextLong(),
              random.nextLong(),
              random.nextBoolean() ? Optional.of(anyEntry()) : Optional.empty(),
              random.nextBoolean());
      Wire.Event written = ReplyFrames.write(3, event);
      assertThat(ReplyFrames.read(Wire.Event.parseFrom(written.toByteArray()))).isEqualTo(event);
    }
  }

  @Test
  void aLargeAnswerGoesInSeveralFrames() throws Exception {
    EntryType type = new EntryType("Big", List.of(), List.of("bytes"), -1);
    List<EncodedEntry> entries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      byte[] bytes = new byte[50_000];
      random.nextBytes(bytes);
      entries.add(new EncodedEntry(type, new byte[][] {bytes}));
    }
    Reply reply = new Reply.Matched(entries);
    List<Wire.Executed> parts = ReplyFrames.write(1, 1, reply);

    assertThat(parts).hasSizeGreaterThan(5);
    assertThat(parts.subList(0, parts.size() - 1)).allMatch(Wire.Executed::getMore);
    assertThat(parts.get(parts.size() - 1).getMore()).isFalse();
    assertThat(parts).allMatch(part -> part.getSerializedSize() < 1024 * 1024);
    assertThat(ReplyFrames.read(parts)).isEqualTo(reply);
  }

  @Test
  void framesAreFoundHoweverTheBytesArrive() throws Exception {
    List<byte[]> messages = new ArrayList<>();
    Buffer stream = Buffer.buffer();
    for (int i = 0; i < 300; i++) {
      byte[] message = new byte[random.nextInt(i % 20 == 0 ? 100_000 : 100)];
      random.nextBytes(message);
      messages.add(message);
      stream.appendInt(message.length).appendBytes(message);
    }
    FrameSplitter splitter = new FrameSplitter(100_000);
    List<byte[]> found = new ArrayList<>();
    int position = 0;
    while (position < stream.length()) {
      int to = Math.min(stream.length(), position + 1 + random.nextInt(20_000));
      splitter.add(stream.getBytes(position, to));
      position = to;
      for (Optional<byte[]> next = splitter.next(); next.isPresent(); next = splitter.next()) {
        found.add(next.get());
      }
    }
    assertThat(found).containsExactlyElementsOf(messages);
  }

  @Test
  void unknownFieldsAreRefusedWhereverTheyAre() {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    Wire.Execute good =
        CommandFrames.write(
            1, 1, 1, new Command.Write("ada/s", List.of(anyEntry()), List.of(1L), 0));
    Wire.Execute bad =
        good.toBuilder()
            .setWrite(
                good.getWrite().toBuilder()
                    .setEntries(
                        0, good.getWrite().getEntries(0).toBuilder().setUnknownFields(unknown)))
            .build();
    assertThatThrownBy(() -> CommandFrames.read(bad)).isInstanceOf(MalformedFrame.class);
    assertThatThrownBy(() -> CommandFrames.read(good.toBuilder().setUnknownFields(unknown).build()))
        .hasMessageContaining("unknown fields");
  }

  @Test
  void entriesThatContradictTheirTypeAreRefused() {
    Wire.EntryType type =
        Wire.EntryType.newBuilder().setName("T").addFields("a").setShardField(-1).build();
    Wire.Field field = Wire.Field.newBuilder().setValue(ByteString.copyFromUtf8("x")).build();
    for (Wire.Entry entry :
        List.of(
            Wire.Entry.newBuilder().setType(1).addFields(field).build(),
            Wire.Entry.newBuilder().setType(0).build(),
            Wire.Entry.newBuilder().setType(0).addFields(field).addFields(field).build())) {
      assertThatThrownBy(() -> EntryReader.of(List.of(type.toByteString())).entry(entry))
          .isInstanceOf(MalformedFrame.class);
    }
    assertThatThrownBy(
            () -> EntryReader.of(List.of(type.toBuilder().setShardField(1).build().toByteString())))
        .isInstanceOf(MalformedFrame.class);
    Wire.EntryType.Builder wide = Wire.EntryType.newBuilder().setName("T").setShardField(-1);
    for (int i = 0; i < 1000; i++) {
      wide.addFields("f" + i);
    }
    assertThatThrownBy(() -> EntryReader.of(List.of(wide.build().toByteString())))
        .hasMessageContaining("1000 fields");
    assertThatThrownBy(() -> EntryReader.of(List.of(ByteString.copyFromUtf8("no message"))))
        .isInstanceOf(MalformedFrame.class)
        .hasMessageContaining("no EntryType");
  }

  @Test
  void equalTypesAreOneObjectOnceRead() throws Exception {
    EncodedEntry entry = anyEntry();
    EntryWriter writer = new EntryWriter();
    Wire.Entry wire = writer.entry(entry);
    EncodedEntry first = EntryReader.of(writer.types()).entry(wire);
    EncodedEntry second = EntryReader.of(writer.types()).entry(wire);
    assertThat(first.type()).isSameAs(second.type());
  }

  private Command anyCommand() {
    List<Supplier<Command>> kinds =
        List.of(
            () -> {
              List<EncodedEntry> entries = anyEntries();
              return new Command.Write(
                  anyText(),
                  entries,
                  entries.stream().map(e -> random.nextLong()).toList(),
                  random.nextLong());
            },
            () ->
                new Command.Match(
                    anyText(),
                    any(Command.Mode.values()),
                    anyEntries(),
                    random.nextLong(),
                    random.nextLong(),
                    random.nextInt(),
                    random.nextInt(-1, 16)),
            () ->
                new Command.Contents(
                    anyText(), anyEntries(), random.nextLong(), anyText(), random.nextInt()),
            () ->
                new Command.Register(
                    anyText(),
                    anyEntries(),
                    random.nextLong(),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    random.nextLong()),
            () -> new Command.RenewLease(anyLease(), random.nextLong()),
            () -> new Command.CancelLease(anyLease()),
            () ->
                new Command.RenewLeases(
                    List.of(anyLease(), anyLease()), List.of(random.nextLong(), -1L)),
            () -> new Command.CancelLeases(List.of(anyLease(), anyLease())),
            () -> new Command.Begin(random.nextLong()),
            () ->
                new Command.BeginForeign(
                    anyText(), anyText(), random.nextLong(), random.nextLong()),
            () -> new Command.Prepare(random.nextLong()),
            () -> new Command.Commit(random.nextLong()),
            () -> new Command.Abort(random.nextLong()),
            () -> new Command.TransactionState(random.nextLong()),
            () -> new Command.CancelWait(random.nextLong(Long.MAX_VALUE)));
    return kinds.get(random.nextInt(kinds.size())).get();
  }

  private Reply anyReply() {
    List<Supplier<Reply>> kinds =
        List.of(
            () -> new Reply.Written(List.of(anyGrant(), anyGrant())),
            () -> new Reply.Matched(anyEntries()),
            () -> new Reply.Reserved(anyEntries()),
            () -> new Reply.Listed(anyEntries(), anyText()),
            () -> new Reply.Registered(random.nextLong(), anyGrant(), random.nextLong()),
            () -> new Reply.Renewed(random.nextLong()),
            () -> new Reply.EachLease(List.of(random.nextLong(), Reply.NO_LEASE)),
            () -> new Reply.Began(random.nextLong(), anyGrant()),
            () -> new Reply.StateOf(random.nextInt()),
            Reply.Done::new,
            () -> new Reply.Refused(any(Reply.Refusal.values()), anyText()));
    return kinds.get(random.nextInt(kinds.size())).get();
  }

  private Reply.Granted anyGrant() {
    return new Reply.Granted(anyLease(), random.nextLong());
  }

  private LeaseId anyLease() {
    return new LeaseId(any(LeaseId.Kind.values()), anyText(), random.nextLong());
  }

  private List<EncodedEntry> anyEntries() {
    List<EncodedEntry> entries = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      entries.add(
          random.nextInt(10) == 0
              ? new EncodedEntry(EncodedEntry.ANYTHING, new byte[0][])
              : anyEntry());
    }
    return entries;
  }

  private EncodedEntry anyEntry() {
    int count = random.nextInt(6);
    List<String> names = new ArrayList<>();
    byte[][] fields = new byte[count][];
    for (int i = 0; i < count; i++) {
      names.add("field" + i);
      // Null, empty and filled are three different things.
      int size = random.nextInt(4) - 1;
      if (size >= 0) {
        fields[i] = new byte[size * 40];
        random.nextBytes(fields[i]);
      }
    }
    List<String> supertypes = random.nextBoolean() ? List.of() : List.of("Base", "Root");
    return new EncodedEntry(
        new EntryType(
            "Type" + random.nextInt(3),
            supertypes,
            names,
            random.nextInt(count + 1) - 1,
            random.nextBoolean()),
        fields);
  }

  private String anyText() {
    return random.nextInt(4) == 0 ? "" : "text-\u00e4\u20ac-" + random.nextInt(1000);
  }

  private <E> E any(E[] values) {
    return values[random.nextInt(values.length)];
  }
}

package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.PresenceNote;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes of a cell; what is in them is compared by {@link SpaceSimulationTest}. */
@Timeout(60)
class CellImageTest {
  private static final long FOREVER = Long.MAX_VALUE;
  private static final EntryType BLOCK = new EntryType("Block", List.of(), List.of("bytes"), -1);

  private final Cell cell = new Cell(0, 1, new CellKey(1, 2), Limits.DEFAULT);
  private final Answers answers = new Answers();
  private long sequences;

  @Test
  void aLargeImageComesInChunksOfAMegabyte() {
    openSession();
    for (int i = 0; i < 5; i++) {
      writes(new EncodedEntry(BLOCK, new byte[][] {new byte[900_000]}));
    }
    List<byte[]> image = SimulatedCell.imageOf(cell);
    assertThat(image).hasSize(5).allMatch(chunk -> chunk.length <= 1 << 20);
    assertThat(SimulatedCell.imageOf(Cell.load(image.iterator())))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(image);
  }

  @Test
  void howAnImageIsCutDoesNotMatter() {
    openSession();
    writes(new EncodedEntry(BLOCK, new byte[][] {new byte[100]}));
    byte[] whole = SimulatedCell.imageOf(cell).get(0);
    List<byte[]> bytes = new ArrayList<>();
    for (byte each : whole) {
      bytes.add(new byte[] {each});
    }
    assertThat(SimulatedCell.imageOf(Cell.load(bytes.iterator())).get(0)).isEqualTo(whole);
  }

  @Test
  void anotherFormatIsRefused() {
    List<byte[]> image = SimulatedCell.imageOf(cell);
    image.get(0)[0]++;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cell.load(image.iterator()))
        .withMessageContaining(
            "an image of format " + (Image.FORMAT + 1) + ", expected " + Image.FORMAT);
  }

  @Test
  void whatConcernsTransientEntriesOnlyNeedNotWaitForTheDisk() {
    openSession();
    EncodedEntry presence = EntryCodec.encode(new PresenceNote("red", 1));
    EncodedEntry block = new EncodedEntry(BLOCK, new byte[][] {new byte[1]});
    writes(presence);
    assertThat(isTransient(takes(presence))).as("before its classes are known").isFalse();
    asks(takes(presence));
    asks(takes(EntryCodec.encode(null)));
    assertThat(isTransient(write(presence))).isTrue();
    assertThat(isTransient(write(block))).isFalse();
    assertThat(isTransient(takes(presence))).isTrue();
    assertThat(isTransient(takes(EntryCodec.encode(null)))).isTrue();
    writes(block);
    assertThat(isTransient(takes(EntryCodec.encode(null)))).isFalse();
    assertThat(isTransient(new Command.Begin(1))).isFalse();
  }

  private boolean isTransient(Command command) {
    return cell.concernsTransientOnly(request(command), cell.nowNanos());
  }

  private static Command write(EncodedEntry entry) {
    return new Command.Write("s", List.of(entry), List.of(FOREVER), 0);
  }

  private static Command takes(EncodedEntry template) {
    return new Command.Match("s", Command.Mode.TAKE, Collections.singletonList(template), 0, 0, 1);
  }

  private void openSession() {
    cell.deliver(new Message.Open(answers, "test", 7, -1, 0, true), 1, answers);
  }

  private void asks(Command command) {
    cell.deliver(request(command), 1, answers);
  }

  private void writes(EncodedEntry entry) {
    asks(write(entry));
    assertThat(answers.last).isInstanceOf(Reply.Written.class);
  }

  private Message.Request request(Command command) {
    return new Message.Request(answers, answers.session, ++sequences, 1, command);
  }

  /** Hears everything. */
  private static final class Answers implements Outbox, Caller {
    long session;
    Reply last;

    @Override
    public void send(int to, Message message) {
      throw new AssertionError("there is only one cell: " + message);
    }

    @Override
    public void answer(Caller caller, Reply reply) {
      last = reply;
    }

    @Override
    public void opened(Caller caller, long number, long leaseMillis) {
      session = number;
    }

    @Override
    public void closed(Caller caller) {}

    @Override
    public void event(long to, SpaceEvent event) {}
  }
}

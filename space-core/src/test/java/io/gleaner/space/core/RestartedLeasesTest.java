package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jini.core.entry.Entry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left of the lease of an entry when its cell was away for a while. */
@Tag("F6")
@Timeout(60)
class RestartedLeasesTest {
  private static final long HOUR = 3_600_000;
  private static final long MINUTE = 60_000;
  private static final long BEGAN = 1_700_000_000_000L;

  private Cell cell = new Cell(0, 1, CellKey.random(new SecureRandom()), Limits.DEFAULT);
  private final Said said = new Said();
  private long nowMillis;
  private long session;
  private long sequence;

  /** An entry that says what its lease was granted for. */
  public static final class Leased implements Entry {
    private static final long serialVersionUID = 1L;
    public Long millis;

    public Leased() {}

    Leased(Long millis) {
      this.millis = millis;
    }
  }

  @BeforeEach
  void itBegins() {
    restarts(BEGAN);
    input(new Input.Deliver(new Message.Open(new Caller() {}, "test", 1, -1, 0, true)));
  }

  private void input(Input.Step step) {
    cell.apply(new Input(cell.inputs() + 1, nowMillis * 1_000_000, step), said);
  }

  private void restarts(long wallMillis) {
    List<byte[]> image = new ArrayList<>();
    cell.save(image::add);
    cell = Cell.load(image.iterator());
    input(new Input.Restart(Limits.DEFAULT, wallMillis));
  }

  private void passes(long millis) {
    // Sessions live as long as somebody renews them.
    for (long end = nowMillis + millis; nowMillis < end; ) {
      nowMillis = Math.min(end, nowMillis + 10_000);
      input(new Input.Deliver(new Message.Renew(List.of(session))));
    }
  }

  private Reply asks(Command command) {
    said.reply = null;
    input(
        new Input.Deliver(
            new Message.Request(new Caller() {}, session, ++sequence, sequence, command)));
    return said.reply;
  }

  private void writes(long leaseMillis) {
    Reply reply =
        asks(new Command.Write("test", List.of(encoded(leaseMillis)), List.of(leaseMillis), 0));
    assertThat(reply).isInstanceOf(Reply.Written.class);
  }

  private static EncodedEntry encoded(Long leaseMillis) {
    return EntryCodec.encode(new Leased(leaseMillis));
  }

  private boolean isThere(long leaseMillis) {
    Reply reply =
        asks(new Command.Match("test", Command.Mode.READ, List.of(encoded(leaseMillis)), 0, 0, 1));
    return !((Reply.Matched) reply).entries().isEmpty();
  }

  private void lastsAnother(long leaseMillis, Duration left) {
    passes(left.toMillis() - MINUTE);
    assertThat(isThere(leaseMillis)).as("a minute before its end").isTrue();
    passes(2 * MINUTE);
    assertThat(isThere(leaseMillis)).as("a minute after its end").isFalse();
  }

  @Test
  void whatIsShorterThanAnHourStartsAnew() {
    writes(30 * MINUTE);
    passes(29 * MINUTE);
    restarts(BEGAN + 10 * HOUR);
    lastsAnother(30 * MINUTE, Duration.ofMinutes(30));
  }

  @Test
  void theTimeAwayCountsForALongLease() {
    writes(10 * HOUR);
    passes(HOUR);
    restarts(BEGAN + 6 * HOUR);
    lastsAnother(10 * HOUR, Duration.ofHours(4));
  }

  @Test
  void severalTimesAwayAddUp() {
    writes(10 * HOUR);
    passes(HOUR);
    restarts(BEGAN + 3 * HOUR);
    passes(HOUR);
    restarts(BEGAN + 6 * HOUR);
    lastsAnother(10 * HOUR, Duration.ofHours(4));
  }

  @Test
  void anHourIsLeftHoweverLongItWasAway() {
    writes(10 * HOUR);
    restarts(BEGAN + 100_000 * HOUR);
    lastsAnother(10 * HOUR, Duration.ofHours(1));
  }

  @Test
  void aClockThatWentBackCountsNothing() {
    writes(10 * HOUR);
    passes(HOUR);
    restarts(BEGAN - 5 * HOUR);
    lastsAnother(10 * HOUR, Duration.ofHours(9));
  }

  @Test
  void aClockThatIsNotKnownCountsNothing() {
    writes(10 * HOUR);
    passes(HOUR);
    restarts(0);
    lastsAnother(10 * HOUR, Duration.ofHours(9));
  }

  @Test
  void whatHasNoEndHasNone() {
    writes(Long.MAX_VALUE);
    restarts(BEGAN + 100_000 * HOUR);
    passes(2 * HOUR);
    assertThat(isThere(Long.MAX_VALUE)).isTrue();
  }

  /** What the cell said last. */
  private final class Said implements Outbox {
    private Reply reply;

    @Override
    public void send(int to, Message message) {
      throw new AssertionError("a cell alone sends no letters");
    }

    @Override
    public void answer(Caller caller, Reply answer) {
      reply = answer;
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

  @Test
  void aNumberThatWasToldAndNotKeptIsNotGivenAgain() {
    List<byte[]> kept = new ArrayList<>();
    cell.save(kept::add);
    // Answers about entries of transient classes leave before their input is kept.
    Reply told = asks(new Command.Write("test", List.of(encoded(MINUTE)), List.of(MINUTE), 0));
    cell = Cell.load(kept.iterator());
    input(new Input.Restart(Limits.DEFAULT, BEGAN));
    Reply next = asks(new Command.Write("test", List.of(encoded(MINUTE)), List.of(MINUTE), 0));
    assertThat(((Reply.Written) next).leases().get(0).lease())
        .isNotEqualTo(((Reply.Written) told).leases().get(0).lease());
  }
}

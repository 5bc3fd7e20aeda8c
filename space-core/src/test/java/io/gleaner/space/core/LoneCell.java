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
import java.util.function.Consumer;
import net.jini.core.entry.Entry;

/** The only cell of a space, with a client of one session and a clock that tests move. */
public final class LoneCell {
  private static final long STEP_MILLIS = 10_000;

  private final Consumer<Input> kept;
  private final Said said = new Said();
  private Cell cell;
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

  /**
   * A new one.
   *
   * @param kept hears of each input
   */
  public LoneCell(Consumer<Input> kept) {
    this.kept = kept;
    this.cell = new Cell(0, 1, CellKey.random(new SecureRandom()), Limits.DEFAULT);
  }

  public Cell cell() {
    return cell;
  }

  /** The client comes. */
  public void opens() {
    input(new Input.Deliver(new Message.Open(new Caller() {}, "test", 1, -1, 0, true)));
  }

  /** Nobody hosted it for a while: it goes on as it was kept, where its time ended. */
  public void restarts(Cell restored, Duration away) {
    cell = restored;
    nowMillis = Math.max(0, cell.nowNanos() / 1_000_000);
    input(new Input.Restart(Limits.DEFAULT, away.toMillis()));
  }

  private void input(Input.Step step) {
    Input input = new Input(cell.inputs() + 1, nowMillis * 1_000_000, step);
    cell.apply(input, said);
    kept.accept(input);
  }

  /** The clock goes on, and there is something to do all the time. */
  public void works(Duration time) {
    // Sessions live as long as somebody renews them.
    for (long end = nowMillis + time.toMillis(); nowMillis < end; ) {
      nowMillis = Math.min(end, nowMillis + STEP_MILLIS);
      input(new Input.Deliver(new Message.Renew(List.of(session))));
    }
  }

  Reply asks(Command command) {
    sequence++;
    return asksAgain(new Caller() {}, command);
  }

  /** Somebody else asks for the answer to what was asked last; null if it has none yet. */
  Reply asksAgain(Caller caller, Command command) {
    said.reply = null;
    input(new Input.Deliver(new Message.Request(caller, session, sequence, sequence, command)));
    return said.reply;
  }

  /** Who was answered, in that order. */
  List<Caller> answered() {
    return List.copyOf(said.callers);
  }

  /** Writes an entry with a lease of that length. */
  public Reply.Written writes(Duration lease) {
    return (Reply.Written)
        asks(
            new Command.Write(
                "test", List.of(encoded(lease.toMillis())), List.of(lease.toMillis()), 0));
  }

  private static EncodedEntry encoded(Long leaseMillis) {
    return EntryCodec.encode(new Leased(leaseMillis));
  }

  /** Whether the entry is there that was written with such a lease. */
  public boolean holds(Duration lease) {
    return !((Reply.Matched) asks(read(lease, 0))).entries().isEmpty();
  }

  /** Reads the entry that is written with such a lease. */
  static Command read(Duration lease, long timeoutMillis) {
    return new Command.Match(
        "test", Command.Mode.READ, List.of(encoded(lease.toMillis())), 0, timeoutMillis, 1);
  }

  /** The entry that was written with such a lease ends when that has passed. */
  public void holdsAnother(Duration lease, Duration left) {
    Duration minute = Duration.ofMinutes(1);
    works(left.minus(minute));
    assertThat(holds(lease)).as("a minute before its end").isTrue();
    works(minute.multipliedBy(2));
    assertThat(holds(lease)).as("a minute after its end").isFalse();
  }

  /** What the cell said last. */
  private final class Said implements Outbox {
    private final List<Caller> callers = new ArrayList<>();
    private Reply reply;

    @Override
    public void send(int to, Message message) {
      throw new AssertionError("a cell alone sends no letters");
    }

    @Override
    public void answer(Caller caller, Reply answer) {
      reply = answer;
      callers.add(caller);
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

package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is told the answer of a call that many have asked for. */
@Timeout(60)
class RepeatedCallTest {
  private static final Duration LEASE = Duration.ofMinutes(30);

  private final LoneCell cell = new LoneCell(input -> {});

  @Test
  void aClientThatGoesFromNodeToNodeLeavesFewWhoWaitForIt() {
    cell.opens();
    Command read = LoneCell.read(LEASE, Long.MAX_VALUE);
    cell.asks(read);
    List<Caller> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(new Caller() {});
      cell.asksAgain(nodes.get(i), read);
      cell.asksAgain(nodes.get(i), read);
    }
    cell.writes(LEASE);
    // The last of those who are told is the writer.
    assertThat(cell.answered()).hasSizeLessThan(12).containsOnlyOnce(nodes.get(99));
  }

  @Test
  void anotherCommandUnderTheSameNumberIsRefusedAndChangesNothing() {
    cell.opens();
    cell.writes(LEASE);
    Reply read = cell.asks(LoneCell.read(LEASE, 0));
    assertThat(read).isInstanceOf(Reply.Matched.class);

    Command take =
        new Command.Match("test", Command.Mode.TAKE, ((Reply.Matched) read).entries(), 0, 0, 1);
    assertThat(cell.asksAgain(new Caller() {}, take))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(Reply.Refusal.INVALID);
              assertThat(refused.message()).contains("another command");
            });

    assertThat(cell.asksAgain(new Caller() {}, LoneCell.read(LEASE, 0))).isEqualTo(read);
    assertThat(cell.holds(LEASE)).isTrue();
  }

  @Test
  void whatWasOpenBeforeARestartIsStillTheSameCommand() {
    List<byte[]> image = new ArrayList<>();
    cell.opens();
    cell.writes(LEASE);
    Reply read = cell.asks(LoneCell.read(LEASE, 0));
    cell.cell().save(image::add);
    cell.restarts(Cell.load(image.iterator()), Duration.ofSeconds(1));

    assertThat(cell.asksAgain(new Caller() {}, LoneCell.read(LEASE, 0))).isEqualTo(read);
    assertThat(cell.asksAgain(new Caller() {}, LoneCell.read(LEASE.plusHours(1), 0)))
        .isInstanceOf(Reply.Refused.class);
  }
}

package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.Command;
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
}

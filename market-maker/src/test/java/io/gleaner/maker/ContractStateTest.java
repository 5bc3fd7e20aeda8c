package io.gleaner.maker;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.lifecycle.Transitions.Row;
import io.gleaner.maker.ContractState.Event;
import io.gleaner.tuple.ContractEntry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Walks contracts through every row of the table: a row that no walk takes fails the test. */
@Timeout(30)
class ContractStateTest {
  private static final List<List<Event>> LIVES =
      List.of(
          List.of(
              Event.WON_AGAIN,
              Event.ATTEMPT_SEEN,
              Event.ATTEMPT_SEEN,
              Event.WON_AGAIN,
              Event.RELEASED,
              Event.ATTEMPT_SEEN,
              Event.LAST_ATTEMPT_ENDED),
          List.of(Event.ATTEMPT_SEEN, Event.OFFER_GONE, Event.LAST_ATTEMPT_ENDED),
          List.of(Event.ATTEMPT_SEEN, Event.BAG_ENDED),
          List.of(Event.ATTEMPT_SEEN, Event.EXPIRED),
          List.of(Event.RELEASED, Event.BAG_ENDED),
          List.of(Event.RELEASED, Event.EXPIRED),
          List.of(Event.OFFER_GONE),
          List.of(Event.BAG_ENDED),
          List.of(Event.EXPIRED));

  @Test
  void everyTransitionIsTakenAndEveryLifeEndsClosed() {
    Set<Row<ContractState, Event>> taken = new HashSet<>();
    for (List<Event> life : LIVES) {
      ContractInForce contract =
          new ContractInForce(new ContractEntry(), null, ContractState.OFFERED, 0);
      for (Event event : life) {
        ContractState from = contract.state();
        contract.on(event, 1);
        taken.add(new Row<>(from, event, contract.state()));
      }
      assertThat(contract.state()).isEqualTo(ContractState.CLOSED);
    }
    assertThat(taken).containsExactlyInAnyOrderElementsOf(ContractState.TRANSITIONS.rows());
  }

  @Test
  void theQuantumBeginsWithTheFirstTaskAndAgainWithEachNewWin() {
    ContractEntry entry = ContractEntry.ofLauncher("l1");
    entry.slots = 1;
    entry.microsPerUnit = 1L;
    java.time.Instant now = io.gleaner.book.Tellings.NOON;
    ContractInForce contract = new ContractInForce(entry, null, ContractState.OFFERED, 0);
    Duration minute = Duration.ofMinutes(1);
    long second = 1_000_000_000;

    contract.on(Event.ATTEMPT_SEEN, 10 * second);
    contract.on(Event.ATTEMPT_SEEN, 20 * second);
    assertThat(contract.told(minute, now, 30 * second).quantumEnds())
        .isEqualTo(now.plusSeconds(40));

    contract.on(Event.WON_AGAIN, 30 * second);
    assertThat(contract.told(minute, now, 30 * second).quantumEnds())
        .isEqualTo(now.plusSeconds(60));
    assertThat(contract.told(minute, now, 30 * second).awarded()).isEqualTo(now.minusSeconds(30));
  }
}

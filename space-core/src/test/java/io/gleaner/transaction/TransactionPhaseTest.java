package io.gleaner.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.lifecycle.Transitions.Row;
import io.gleaner.transaction.TransactionPhase.Event;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every row of the table is walked by a coordinator, and nothing that is no row. */
@Timeout(30)
class TransactionPhaseTest {
  private static final List<List<Event>> LIVES =
      List.of(
          List.of(Event.COMMIT_ASKED, Event.ALL_PREPARED),
          List.of(Event.COMMIT_ASKED, Event.ONE_REFUSED),
          List.of(Event.PREPARE_ASKED, Event.ALL_PREPARED, Event.COMMIT_ASKED, Event.ALL_PREPARED),
          List.of(Event.PREPARE_ASKED, Event.ALL_PREPARED, Event.ABORT_ASKED),
          List.of(Event.PREPARE_ASKED, Event.ALL_PREPARED, Event.OWNER_LEFT),
          List.of(Event.PREPARE_ASKED, Event.ONE_REFUSED),
          List.of(Event.PREPARE_ASKED, Event.ABORT_ASKED),
          List.of(Event.PREPARE_ASKED, Event.OWNER_LEFT),
          List.of(Event.ABORT_ASKED),
          List.of(Event.LEASE_ENDED),
          List.of(Event.OWNER_LEFT));

  @Test
  void coordinatorsVisitEveryRow() {
    Set<Row<TransactionPhase, Event>> visited = new LinkedHashSet<>();
    for (List<Event> life : LIVES) {
      Coordinator coordinator = new Coordinator(1);
      for (Event event : life) {
        TransactionPhase before = coordinator.phase();
        assertThat(coordinator.on(event)).isTrue();
        visited.add(new Row<>(before, event, coordinator.phase()));
      }
    }
    assertThat(visited).containsExactlyInAnyOrderElementsOf(TransactionPhase.TRANSITIONS.rows());
  }

  @Test
  void whatIsDecidedStaysDecided() {
    for (List<Event> life : LIVES) {
      Coordinator coordinator = new Coordinator(1);
      life.forEach(coordinator::on);
      TransactionPhase decided = coordinator.phase();
      for (Event event : Event.values()) {
        assertThat(coordinator.on(event)).isFalse();
        assertThat(coordinator.phase()).isEqualTo(decided);
      }
    }
  }

  @Test
  void nobodyJoinsOnceTheEndHasBegun() {
    Coordinator coordinator = new Coordinator(1);
    assertThat(coordinator.join(3)).isTrue();
    coordinator.on(Event.COMMIT_ASKED);
    assertThat(coordinator.join(4)).isFalse();
    assertThat(coordinator.participants()).containsExactly(3);
  }

  @Test
  void itIsOverWhenEverybodyHasCarriedItOut() {
    Coordinator coordinator = new Coordinator(1);
    coordinator.join(3);
    coordinator.join(4);
    coordinator.on(Event.COMMIT_ASKED);
    assertThat(coordinator.prepared(3)).isFalse();
    assertThat(coordinator.prepared(3)).as("a repeated vote counts once").isFalse();
    assertThat(coordinator.prepared(4)).isTrue();
    coordinator.on(Event.ALL_PREPARED);
    coordinator.ended(3);
    assertThat(coordinator.isOver()).isFalse();
    coordinator.ended(4);
    assertThat(coordinator.isOver()).isTrue();
  }
}

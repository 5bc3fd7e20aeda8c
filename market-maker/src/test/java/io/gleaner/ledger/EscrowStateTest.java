package io.gleaner.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.lifecycle.Transitions;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class EscrowStateTest {

  @Test
  void everyTransitionIsVisitedAndARefundedEscrowPaysNothing() {
    Set<Transitions.Row<EscrowState, EscrowState.Event>> visited = new HashSet<>();
    for (EscrowState from : EscrowState.values()) {
      for (EscrowState.Event event : EscrowState.Event.values()) {
        EscrowState.TRANSITIONS
            .next(from, event)
            .ifPresent(to -> visited.add(new Transitions.Row<>(from, event, to)));
      }
    }

    assertThat(visited).isEqualTo(EscrowState.TRANSITIONS.rows());
    assertThat(EscrowState.TRANSITIONS.allowed(EscrowState.REFUNDED)).isEmpty();
  }
}

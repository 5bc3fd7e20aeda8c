package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EarlyEventsTest {
  private final EarlyEvents early = new EarlyEvents();
  private final List<Long> told = new ArrayList<>();
  private boolean known;

  private void comes(long eventId, long sequence) {
    SpaceEvent event = event(eventId, sequence);
    if (early.isClaimed(event, () -> known)) {
      told.add(sequence);
    }
  }

  @Test
  void whatComesBeforeTheAnswerIsToldWithTheAnswerAndInOrder() {
    early.expect();
    comes(7, 1);
    comes(8, 1);
    comes(7, 2);
    assertThat(told).isEmpty();
    early.claim(7, event -> told.add(event.sequence()), () -> known = true);
    comes(7, 3);
    early.expectNoMore();
    assertThat(told).containsExactly(1L, 2L, 3L);
  }

  @Test
  void whatNobodyAskedForIsNotKept() {
    comes(7, 1);
    early.expect();
    early.claim(7, event -> told.add(event.sequence()), () -> known = false);
    comes(9, 1);
    early.expectNoMore();
    early.expect();
    early.claim(9, event -> told.add(event.sequence()), () -> known = true);
    assertThat(told).isEmpty();
  }

  private static SpaceEvent event(long eventId, long sequence) {
    return new SpaceEvent(eventId, sequence, Optional.empty(), false);
  }
}

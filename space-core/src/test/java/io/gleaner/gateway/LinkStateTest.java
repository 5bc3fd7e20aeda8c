package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.gateway.LinkState.Event;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class LinkStateTest {

  @Test
  void everyStateIsReachedAndEveryEventIsUsed() {
    EnumSet<LinkState> reached = EnumSet.of(LinkState.CONNECTING);
    EnumSet<Event> used = EnumSet.noneOf(Event.class);
    LinkState.TRANSITIONS
        .rows()
        .forEach(
            row -> {
              assertThat(LinkState.TRANSITIONS.require(row.from(), row.event()))
                  .isEqualTo(row.to());
              reached.add(row.to());
              used.add(row.event());
            });
    assertThat(reached).isEqualTo(EnumSet.allOf(LinkState.class));
    assertThat(used).isEqualTo(EnumSet.allOf(Event.class));
  }

  @Test
  void theEndIsTheEnd() {
    assertThat(LinkState.TRANSITIONS.allowed(LinkState.LOST)).isEmpty();
    assertThat(LinkState.TRANSITIONS.allowed(LinkState.CLOSED)).isEmpty();
  }
}

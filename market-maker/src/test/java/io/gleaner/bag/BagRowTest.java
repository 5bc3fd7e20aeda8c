package io.gleaner.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.tuple.JobState;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A bag changes its state by the table and by nothing else. */
@Timeout(10)
class BagRowTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void everyTransitionOfTheTableIsTakenAndEveryOtherRefused() {
    Set<Object> visited = new HashSet<>();
    for (JobState from : JobState.values()) {
      for (JobState.Event event : JobState.Event.values()) {
        Optional<JobState> to = JobState.TRANSITIONS.next(from, event);
        if (to.isPresent()) {
          BagRow after = row(from).after(event, NOW, "why");
          assertThat(after.state()).isEqualTo(to.get());
          assertThat(after.ended().isPresent()).isEqualTo(to.get().ended());
          assertThat(after.note()).isEqualTo("why");
          visited.add(new io.gleaner.lifecycle.Transitions.Row<>(from, event, to.get()));
        } else {
          assertThatThrownBy(() -> row(from).after(event, NOW, "why"))
              .isInstanceOf(IllegalStateException.class);
        }
      }
    }
    assertThat(visited).isEqualTo(JobState.TRANSITIONS.rows());
  }

  private static BagRow row(JobState state) {
    return new BagRow(
        "b",
        "alice",
        "k",
        "d",
        "n",
        "y",
        Map.of(),
        state,
        1,
        0,
        0,
        0,
        0,
        NOW,
        Optional.empty(),
        "");
  }
}

package io.gleaner.examples.eternity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class WalkTest {
  @Test
  void theSameSeedFindsTheSameBoard() {
    byte[] once = new Walk().run(Attempt.seed(1), Attempt.first());
    byte[] again = new Walk().run(Attempt.seed(1), Attempt.first());
    byte[] other = new Walk().run(Attempt.seed(2), Attempt.first());

    assertThat(again).isEqualTo(once);
    assertThat(other).isNotEqualTo(once);
  }

  @Test
  void walkingIsMuchBetterThanDealing() {
    Puzzle puzzle = Puzzle.of(2010, 16);
    RandomWalk walk = RandomWalk.start(puzzle, 1, 300_000, 1);
    int dealt = walk.best().score();

    walk.walkTo(300_000);

    assertThat(walk.best().score()).isGreaterThan(dealt + 200);
  }

  @Test
  void theScoreThatTheWalkKeepsIsThatOfItsBoards() {
    RandomWalk walk = RandomWalk.start(Puzzle.of(8, 5), 3, 5_000, 2);
    for (int step = 1; step <= 5_000 && !walk.ended(); step++) {
      walk.walkTo(step);
      assertThat(walk.keptScores()).containsExactly(walk.countedScores());
    }
  }

  @Test
  void progressGrowsToTheEnd() {
    Attempt attempt = Attempt.first();

    new Walk().run(Attempt.seed(1), attempt);

    assertThat(attempt.told).isSorted().endsWith(1.0);
  }

  @Test
  void anAttemptFromAnyCheckpointEndsAsIfItHadNotBeenInterrupted() {
    Attempt undisturbed = Attempt.first();
    byte[] expected = new Walk().run(Attempt.seed(4), undisturbed);

    assertThat(undisturbed.saved).hasSize(19);
    for (byte[] checkpoint : undisturbed.saved) {
      assertThat(new Walk().run(Attempt.seed(4), Attempt.after(checkpoint))).isEqualTo(expected);
    }
  }

  @Test
  void aCheckpointOfAnotherPuzzleIsRefused() {
    assertThatThrownBy(() -> new Walk().run(Attempt.seed(1), Attempt.after(new byte[12])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another puzzle");
  }

  @ParameterizedTest
  @CsvSource({"steps, 0", "rounds, 0", "rounds, 1000000", "side, 99", "steps, many"})
  void nonsenseIsRefusedByTheNameOfItsParameter(String name, String value) {
    assertThatThrownBy(() -> new Walk().run(Attempt.with(1, name, value), Attempt.first()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'")
        .hasMessageContaining("expected");
  }
}

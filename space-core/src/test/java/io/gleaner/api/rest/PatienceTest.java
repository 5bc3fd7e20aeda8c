package io.gleaner.api.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PatienceTest {

  @Test
  void pausesGrowToTwoSecondsAndStaySoHoweverLongANodeIsAway() {
    assertThat(IntStream.of(0, 1, 2, 4, 5).mapToObj(Patience::pauseMillis))
        .containsExactly(100L, 200L, 400L, 1600L, 2000L);
    assertThat(IntStream.range(5, 10_000).mapToObj(Patience::pauseMillis)).containsOnly(2000L);
  }
}

package io.gleaner.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RefusalsTest {
  private final List<String> named = new ArrayList<>();
  private long nanos;
  private final Refusals refusals = new Refusals(() -> nanos, named::add);

  @Test
  void whoIsRefusedAgainAndAgainIsNamedAndNobodyElse() {
    for (int i = 0; i < Refusals.UNPUNISHED; i++) {
      refusals.count("mallory");
    }
    assertThat(named).isEmpty();
    refusals.count("ada");
    refusals.count("mallory");
    refusals.count("mallory");
    assertThat(named).containsExactly("mallory", "mallory");
  }

  @Test
  void aRefusalNowAndThenIsForgotten() {
    for (int i = 0; i < 100; i++) {
      refusals.count("ada");
      nanos += Duration.ofMinutes(5).toNanos();
    }
    assertThat(named).isEmpty();
  }
}

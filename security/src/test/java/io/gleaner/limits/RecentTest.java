package io.gleaner.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecentTest {
  private final Map<String, Integer> recent = new Recent<>(2);

  @Test
  void theLongestUnusedIsForgottenWhenThereIsOneTooMany() {
    recent.put("a", 1);
    recent.put("b", 2);
    recent.put("c", 3);
    assertThat(recent).containsOnlyKeys("b", "c");
  }

  @Test
  void lookingIsUsing() {
    recent.put("a", 1);
    recent.put("b", 2);
    assertThat(recent.get("a")).isEqualTo(1);
    recent.computeIfAbsent("c", key -> 3);
    assertThat(recent).containsOnlyKeys("a", "c");
    assertThat(recent.getOrDefault("a", 0)).isEqualTo(1);
    recent.put("d", 4);
    assertThat(recent).containsOnlyKeys("a", "d");
  }

  @Test
  void whatIsRemovedMakesRoom() {
    recent.put("a", 1);
    recent.put("b", 2);
    recent.remove("b");
    recent.put("c", 3);
    assertThat(recent).containsOnlyKeys("a", "c");
  }

  @Test
  void aMemoryForNothingIsRefused() {
    assertThatThrownBy(() -> new Recent<String, Integer>(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 keys");
  }
}

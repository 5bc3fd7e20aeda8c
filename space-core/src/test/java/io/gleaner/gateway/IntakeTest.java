package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IntakeTest {
  private final Intake.Total total = new Intake.Total(100);
  private final Intake evil = new Intake(60, total);
  private final Intake bob = new Intake(60, total);
  private final List<String> woken = new ArrayList<>();

  @Test
  @Tag("S15")
  void anOwnerBringsNoMoreThanHisShare() {
    assertThat(takes(evil, 60)).isTrue();
    assertThat(takes(evil, 1)).isFalse();
    assertThat(evil.bytes()).isEqualTo(60);
    assertThat(takes(bob, 40)).isTrue();
  }

  @Test
  @Tag("S15")
  void allTogetherBringNoMoreThanTheTotal() {
    assertThat(takes(evil, 60)).isTrue();
    assertThat(takes(bob, 30)).isTrue();
    assertThat(takes(bob, 11)).isFalse();
    assertThat(takes(bob, 10)).isTrue();
    evil.gives(60);
    assertThat(takes(bob, 20)).isTrue();
  }

  @Test
  @Tag("S15")
  void whoHasNothingThereIsNeverHeldUp() {
    assertThat(takes(evil, 70)).isTrue();
    assertThat(takes(bob, 70)).isTrue();
    bob.gives(70);
    assertThat(takes(bob, 70)).isTrue();
  }

  @Test
  @Tag("S15")
  void whoWaitsIsCalledBackOneByOneInTurn() {
    evil.takes(60, () -> {});
    evil.takes(10, () -> woken.add("first"));
    evil.takes(10, () -> woken.add("second"));
    assertThat(woken).isEmpty();
    evil.gives(20);
    assertThat(woken).containsExactly("first");
    assertThat(evil.bytes()).isEqualTo(40);
    evil.wakesNext();
    evil.wakesNext();
    assertThat(woken).containsExactly("first", "second");
  }

  private static boolean takes(Intake intake, int bytes) {
    return intake.takes(bytes, () -> {});
  }
}

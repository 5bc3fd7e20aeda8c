package io.gleaner.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which connection is ended when too many do not show who they are. */
class StrangersTest {
  private static final int MOST = 8;

  private final Strangers<String> strangers = new Strangers<>("a port", MOST, () -> 0);

  @Test
  void theEldestOfWhoeverHasTheMostGivesWay() {
    assertThat(strangers.arrived("honest", "b")).isEmpty();
    List<String> gone = new ArrayList<>();
    for (int i = 0; i < 2 * MOST; i++) {
      strangers.arrived("silent " + i, "a").ifPresent(gone::add);
    }
    assertThat(gone).hasSize(MOST + 1).startsWith("silent 0", "silent 1").doesNotContain("honest");
    assertThat(strangers.count()).isEqualTo(MOST);
  }

  @Test
  void theEldestOfAllGivesWayIfNobodyHasMore() {
    for (int i = 0; i < MOST; i++) {
      assertThat(strangers.arrived("c" + i, "from " + i)).isEmpty();
    }
    assertThat(strangers.arrived("one more", "elsewhere")).contains("c0");
  }

  @Test
  void nobodyHasToGoWhenOthersWent() {
    for (int i = 0; i < MOST; i++) {
      assertThat(strangers.arrived("c" + i, "a")).isEmpty();
    }
    strangers.left("c3");
    strangers.left("c3");
    assertThat(strangers.arrived("one more", "a")).isEmpty();
    assertThat(strangers.count()).isEqualTo(MOST);
  }
}

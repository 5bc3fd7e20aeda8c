package io.gleaner.maker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MakerSettingsTest {

  @Test
  void everythingThatIsWrongIsListedAtOnce() {
    MakerSettings defaults = MakerSettings.defaults("one");

    assertThatThrownBy(
            () ->
                new MakerSettings(
                    " ",
                    Economy.MARKET,
                    defaults.terms(),
                    Duration.ZERO,
                    defaults.clearEvery(),
                    defaults.coalesce(),
                    Duration.ofSeconds(1),
                    defaults.contractTerm(),
                    defaults.drain(),
                    0))
        .isInstanceOfSatisfying(
            MakerException.class,
            e -> assertThat(e.code()).isEqualTo(MakerException.Code.INVALID_SETTINGS))
        .hasMessageContainingAll(
            "1) holder", "2) quantum", "3) leaderTerm", "4) history must be 1 to 10000, not 0");
  }

  @Test
  void economiesAreKnownByName() {
    assertThat(Economy.of("fair-share")).isEqualTo(Economy.FAIR_SHARE);
    assertThat(Economy.of("market").text()).isEqualTo("market");
    assertThatThrownBy(() -> Economy.of("barter"))
        .isInstanceOf(MakerException.class)
        .hasMessageContaining("choose market or fair-share");
  }

  @Test
  void aNameKeepsItsNumberUntilWhatIsToldOfItChanges() {
    Versions versions = new Versions();
    long first = versions.of("offer/l1", "four slots");

    assertThat(versions.of("offer/l1", "four slots")).isEqualTo(first);
    assertThat(versions.of("offer/l1", "three slots")).isGreaterThan(first);
    versions.retain(Set.of());
    assertThat(versions.of("offer/l1", "three slots")).isGreaterThan(first + 1);
  }
}

package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.limits.Pace;
import io.gleaner.limits.Rates;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a member costs beside its work. */
@Timeout(60)
class MemberUseTest {
  private static final int LOOKS = 256;

  private static final Pace PACE = Rates.standard().device();

  private long nanos;
  private final MemberUse device = new MemberUse(PACE, () -> nanos);

  private int looks() {
    int looks = 0;
    while (device.look().isEmpty()) {
      looks++;
    }
    return looks;
  }

  @Test
  void looksThatEndInRefusalsAreFew() {
    assertThat(looks()).isEqualTo(LOOKS);
    assertThat(device.look().orElseThrow()).contains("it may ask again").contains("100 ms");
    nanos += Duration.ofMillis(99).toNanos();
    assertThat(looks()).isZero();
    nanos += Duration.ofMillis(1).toNanos();
    assertThat(looks()).isEqualTo(1);
    nanos += Duration.ofHours(1).toNanos();
    assertThat(device.isQuiet()).isTrue();
    assertThat(looks()).isEqualTo(LOOKS);
  }

  @Test
  @Tag("S15")
  void whoAsksWithoutEndIsToldToWait() {
    for (int i = 0; i < PACE.atOnce(); i++) {
      assertThat(device.asks()).isEmpty();
    }
    assertThat(device.asks().orElseThrow())
        .contains("more than 2000 operations a second")
        .contains("in 1 ms");
    assertThat(device.isQuiet()).isFalse();
    nanos += Duration.ofMillis(1).toNanos();
    assertThat(device.asks()).isEmpty();
    assertThat(device.asks()).isEmpty();
    assertThat(device.asks()).isPresent();
    nanos += Duration.ofMinutes(1).toNanos();
    assertThat(device.isQuiet()).isTrue();
  }

  @Test
  @Tag("S15")
  void whatIsAskedAgainHasARoomOfItsOwn() {
    for (int i = 0; i < PACE.atOnce(); i++) {
      assertThat(device.asks()).isEmpty();
    }
    for (int i = 0; i < PACE.atOnce(); i++) {
      assertThat(device.repeats()).isEmpty();
    }
    assertThat(device.repeats().orElseThrow()).contains("more than 2000 operations a second");
    nanos += Duration.ofSeconds(6).toNanos();
    assertThat(device.isQuiet()).isTrue();
  }

  @Test
  void whatIsAllowedCostsNothing() {
    for (int i = 0; i < 3 * LOOKS; i++) {
      assertThat(device.look()).isEmpty();
      device.allowed();
    }
    assertThat(looks()).isEqualTo(LOOKS);
  }

  @Test
  void entriesAreCountedOnceTheSpaceHasSaidHowManyThereAre() {
    assertThat(device.writes("OfferEntry", 1)).as("before anything is known").isFalse();
    device.found("OfferEntry", 998, 1);
    assertThat(device.isFull("OfferEntry")).isFalse();
    assertThat(device.writes("OfferEntry", 1)).isTrue();
    assertThat(device.writes("OfferEntry", 1)).isTrue();
    assertThat(device.writes("OfferEntry", 1)).isFalse();
    assertThat(device.writes("StatusEntry", 1)).as("of another kind").isFalse();
    device.found("OfferEntry", 1_000, 1);
    assertThat(device.isFull("OfferEntry")).isTrue();
    nanos += Duration.ofSeconds(5).toNanos();
    assertThat(device.isFull("OfferEntry")).as("it is looked up again").isFalse();
  }
}

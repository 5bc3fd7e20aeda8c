package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.leasing.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ItineraryTest {
  private static final GatewayAddress FIRST = new GatewayAddress("127.0.0.1", 1);
  private static final GatewayAddress SECOND = new GatewayAddress("127.0.0.1", 2);

  private final AtomicLong nanos = new AtomicLong();
  private final Ticker ticker = nanos::get;
  private final Itinerary itinerary = new Itinerary(List.of(FIRST, SECOND), ticker, new Random(1));

  @Test
  void goesThroughItsAddressesInTurn() {
    assertThat(itinerary.address()).isEqualTo(FIRST);
    assertThat(itinerary.triedAll()).isFalse();
    itinerary.turnToNext();
    assertThat(itinerary.address()).isEqualTo(SECOND);
    assertThat(itinerary.triedAll()).isTrue();
    itinerary.turnToNext();
    assertThat(itinerary.address()).isEqualTo(FIRST);
  }

  @Test
  void isRefusedEverywhereOnlyWhenAllHaveRefusedSinceAWelcome() {
    assertThat(itinerary.refusedEverywhere()).isFalse();
    itinerary.welcomed();
    itinerary.turnToNext();
    assertThat(itinerary.refusedEverywhere()).isFalse();
    itinerary.turnToNext();
    assertThat(itinerary.refusedEverywhere()).isTrue();
  }

  @Test
  void pausesGrowToTwoSecondsWithAQuarterOfJitterAndStartAnewAfterAWelcome() {
    long[] least = {50, 100, 200, 400, 800, 1600, 2000, 2000};
    for (long pause : least) {
      assertThat(itinerary.pauseMillis()).isBetween(pause, pause + pause / 4);
    }
    itinerary.welcomed();
    assertThat(itinerary.pauseMillis()).isBetween(50L, 62L);
    assertThat(LongStream.range(0, 20).map(i -> itinerary.pauseMillis()).max().orElseThrow())
        .isBetween(2000L, 2500L);
  }

  @Test
  void saysHowLongItHasBeenAway() {
    itinerary.left();
    nanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertThat(itinerary.awayLongerThan(Duration.ofSeconds(30))).isFalse();
    nanos.incrementAndGet();
    assertThat(itinerary.awayLongerThan(Duration.ofSeconds(30))).isTrue();
  }
}

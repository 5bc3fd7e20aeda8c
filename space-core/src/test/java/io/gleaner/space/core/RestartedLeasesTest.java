package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left of the lease of an entry when its cell was away for a while. */
@Tag("F6")
@Timeout(60)
class RestartedLeasesTest {
  private static final Duration TEN_HOURS = Duration.ofHours(10);
  private static final Duration LONG = Duration.ofHours(100_000);

  private final LoneCell cell = new LoneCell(input -> {});

  @BeforeEach
  void itBegins() {
    cell.restarts(cell.cell(), Duration.ZERO);
    cell.opens();
  }

  private List<byte[]> image() {
    List<byte[]> image = new ArrayList<>();
    cell.cell().save(image::add);
    return image;
  }

  private void isAway(Duration away) {
    cell.restarts(Cell.load(image().iterator()), away);
  }

  @Test
  void whatIsShorterThanAnHourStartsAnew() {
    Duration lease = Duration.ofMinutes(30);
    cell.writes(lease);
    cell.works(Duration.ofMinutes(29));
    isAway(TEN_HOURS);
    cell.holdsAnother(lease, lease);
  }

  @Test
  void theTimeAwayCountsForALongLease() {
    cell.writes(TEN_HOURS);
    cell.works(Duration.ofHours(1));
    isAway(Duration.ofHours(5));
    cell.holdsAnother(TEN_HOURS, Duration.ofHours(4));
  }

  @Test
  void severalTimesAwayAddUp() {
    cell.writes(TEN_HOURS);
    cell.works(Duration.ofHours(1));
    isAway(Duration.ofHours(2));
    cell.works(Duration.ofHours(1));
    isAway(Duration.ofHours(2));
    cell.holdsAnother(TEN_HOURS, Duration.ofHours(4));
  }

  @Test
  void anHourIsLeftHoweverLongItWasAway() {
    cell.writes(TEN_HOURS);
    isAway(LONG);
    cell.holdsAnother(TEN_HOURS, Duration.ofHours(1));
  }

  @Test
  void whatHasNoEndHasNone() {
    Duration forever = Duration.ofMillis(Long.MAX_VALUE);
    cell.writes(forever);
    isAway(LONG);
    cell.works(Duration.ofHours(2));
    assertThat(cell.holds(forever)).isTrue();
  }

  @Test
  void aNumberThatWasToldAndNotKeptIsNotGivenAgain() {
    Duration minute = Duration.ofMinutes(1);
    List<byte[]> kept = image();
    // Answers about entries of transient classes leave before their input is kept.
    Reply.Written told = cell.writes(minute);
    cell.restarts(Cell.load(kept.iterator()), Duration.ZERO);
    Reply.Written next = cell.writes(minute);
    assertThat(next.leases().get(0).lease()).isNotEqualTo(told.leases().get(0).lease());
  }
}

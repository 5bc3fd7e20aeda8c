package io.gleaner.space.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.core.Input;
import io.gleaner.space.core.LoneCell;
import io.gleaner.storage.Database;
import io.gleaner.storage.JournalSettings;
import io.gleaner.storage.Schema;
import io.gleaner.storage.TestStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left of a lease of ten hours when its space stood still, by the time of day. */
@Tag("F6")
@Timeout(120)
class TimeAwayTest {
  private static final Duration LEASE = Duration.ofHours(10);

  @TempDir Path folder;

  private Instant timeOfDay = Instant.parse("2026-03-01T08:00:00Z");
  private String place;
  private Database database;
  private JournalKeeping keeping;
  private LoneCell cell;

  @BeforeEach
  void itBegins() {
    place = folder.resolve("space").toString();
    begins();
  }

  @AfterEach
  void itEnds() {
    keeping.close();
  }

  private void begins() {
    opens();
    assertThat(keeping.restore("one")).isEmpty();
    cell = new LoneCell(this::keeps);
    keeping.found(List.of(cell.cell()));
    cell.restarts(cell.cell(), Duration.ZERO);
    cell.opens();
  }

  private void opens() {
    database = TestStore.open(place, Schema.SPACE);
    keeping = JournalKeeping.on(database, JournalSettings.of(1), () -> timeOfDay);
  }

  private void keeps(Input input) {
    keeping.keep(0, List.of(input), () -> {});
  }

  private void restarts() {
    keeping.close();
    opens();
    Restored restored = keeping.restore("one").get(0);
    cell.restarts(restored.cell(), restored.away());
  }

  /** The clock on the wall goes on, the machine does not, or has nothing to do. */
  private void standsStill(Duration time) {
    timeOfDay = timeOfDay.plus(time);
  }

  private void works(Duration time) {
    timeOfDay = timeOfDay.plus(time);
    cell.works(time);
  }

  private void getsAnImage() throws Exception {
    keeping.allSoFar().get(60, TimeUnit.SECONDS);
    keeping.keepImage(cell.cell(), 0).get(60, TimeUnit.SECONDS);
    assertThat(imageNumber()).isEqualTo(cell.cell().inputs());
  }

  private long imageNumber() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT image_number FROM partition_owner")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void theTimeBetweenCountsAndNoOther() {
    cell.writes(LEASE);
    works(Duration.ofHours(1));
    standsStill(Duration.ofHours(3));
    restarts();
    cell.holdsAnother(LEASE, Duration.ofHours(6));
  }

  @Test
  void aSuspendOfBeforeIsNotChargedToWhatWasGrantedAfterIt() {
    standsStill(Duration.ofHours(8));
    cell.writes(LEASE);
    works(Duration.ofHours(1));
    standsStill(Duration.ofMinutes(30));
    restarts();
    cell.holdsAnother(LEASE, Duration.ofMinutes(8 * 60 + 30));
  }

  @Test
  void whatWasChargedOnceIsNotChargedAgain() {
    standsStill(Duration.ofHours(2));
    cell.writes(LEASE);
    standsStill(Duration.ofHours(2));
    restarts();
    works(Duration.ofHours(1));
    standsStill(Duration.ofHours(1));
    restarts();
    restarts();
    cell.holdsAnother(LEASE, Duration.ofHours(6));
  }

  @Test
  void aClockThatWasSetBackCountsNothingAndTheNextTimeAwayCounts() {
    cell.writes(LEASE);
    works(Duration.ofHours(1));
    standsStill(Duration.ofHours(-5));
    restarts();
    works(Duration.ofHours(1));
    standsStill(Duration.ofHours(3));
    restarts();
    cell.holdsAnother(LEASE, Duration.ofHours(5));
  }

  @Test
  void aClockThatWasSetForwardLeavesAnHour() {
    cell.writes(LEASE);
    standsStill(Duration.ofDays(10_000));
    restarts();
    cell.holdsAnother(LEASE, Duration.ofHours(1));
  }

  @ParameterizedTest
  @EnumSource
  void anImageKnowsWhenItsLastInputCame(TestStore kind) throws Exception {
    keeping.close();
    place = kind.in(folder.resolve("beside"));
    begins();
    cell.writes(LEASE);
    standsStill(Duration.ofHours(3));
    getsAnImage();
    standsStill(Duration.ofHours(1));
    restarts();
    assertThat(imageNumber()).isPositive();
    cell.holdsAnother(LEASE, Duration.ofHours(6));
  }

  @Test
  void soDoesOneThatAnotherMemberMakesOfACellThatIsIdle() throws Exception {
    keeping.close();
    place = TestStore.SERVER.in(folder);
    begins();
    cell.writes(LEASE);
    standsStill(Duration.ofHours(3));
    keeping.allSoFar().get(60, TimeUnit.SECONDS);
    keeping.close();
    opens();
    keeping.join("two", "one");
    keeping.claim("two", Set.of(), Map.of(0, Optional.of(cell.cell())));
    getsAnImage();
    standsStill(Duration.ofHours(1));
    restarts();
    cell.holdsAnother(LEASE, Duration.ofHours(6));
  }
}

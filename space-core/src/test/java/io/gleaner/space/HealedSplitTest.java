package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.secrets.Secret;
import io.gleaner.space.core.Limits;
import io.gleaner.storage.PostgresServer;
import io.gleaner.storage.ServerSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Members lose each other, the larger side loses its database too, and they find each other again.
 * {@code -Dgleaner.splits=true}: it takes more than a minute, so it is not in each build.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "gleaner.splits", matches = "true")
class HealedSplitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int NOTES = 40;

  /** Longer than Hazelcast takes to find the other side, where it is told to look. */
  private static final Duration HEALING = Duration.ofSeconds(50);

  private final MemberSettings founding =
      MemberSettings.founding("split", Secret.random()).withPatience(Duration.ofMinutes(2));

  @Test
  void theSideThatTheDatabaseChoseGoesOn() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      sql(server, "CREATE ROLE larger SUPERUSER LOGIN");
      try (HazelcastSpace first = starts(server, "larger", founding);
          HazelcastSpace second = starts(server, "larger", joining(first));
          HazelcastSpace third = starts(server, "gleaner", joining(first, second))) {
        List<HazelcastSpace> larger = List.of(first, second);
        await().atMost(PATIENCE).until(() -> isWhole(third, 3) && isWhole(first, 3));
        TupleSpace space = SpaceClient.open(third, "market", "test");
        writes(space, 0);
        sql(server, "ALTER ROLE larger NOLOGIN");
        sql(
            server,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'larger'");
        TestCluster.splits(larger, List.of(third));
        await("the smaller side goes on").atMost(PATIENCE).until(() -> isWhole(third, 1));
        writes(space, NOTES);

        await("it is not merged into the larger one")
            .during(HEALING)
            .atMost(HEALING.plus(PATIENCE))
            .until(() -> isWhole(third, 1));
        sql(server, "ALTER ROLE larger LOGIN");
        for (HazelcastSpace each : larger) {
          await("the larger side closes").atMost(PATIENCE).until(() -> isClosed(each));
        }
        for (int number = 0; number < 2 * NOTES; number++) {
          assertThat(space.take(note(number), null, 10_000)).as("entry %d", number).isNotNull();
        }
        try (HazelcastSpace again = starts(server, "larger", joining(third))) {
          await().atMost(PATIENCE).until(() -> isWhole(third, 2) && isWhole(again, 2));
        }
      }
    }
  }

  private HazelcastSpace starts(PostgresServer server, String user, MemberSettings member) {
    return HazelcastSpace.startDurable(
        new SpaceSettings(member, 23, 2, Limits.DEFAULT),
        ServerSettings.of(server.url().split("[?]", 2)[0], user, Optional.empty()));
  }

  private MemberSettings joining(HazelcastSpace... members) {
    return founding.joining(
        List.of(members).stream().map(each -> each.member().address()).toList());
  }

  private static void sql(PostgresServer server, String statement) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement runs = connection.createStatement()) {
      runs.execute(statement);
    }
  }

  private static boolean isWhole(HazelcastSpace member, int members) {
    return member.member().members() == members && member.member().isSettled();
  }

  private static boolean isClosed(HazelcastSpace member) {
    try {
      member.open("looks", event -> {}).get(1, TimeUnit.SECONDS);
      return false;
    } catch (Exception e) {
      return String.valueOf(e.getMessage()).contains("the space is closed");
    }
  }

  private static SpreadNote note(int number) {
    return new SpreadNote("shard" + number, number);
  }

  private static void writes(TupleSpace space, int first) throws Exception {
    for (int number = first; number < first + NOTES; number++) {
      space.write(note(number), null, Lease.FOREVER);
    }
  }
}

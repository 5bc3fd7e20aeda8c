package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.storage.PostgresServer;
import io.gleaner.storage.ServerSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server with the database of a space falls silent, or dies, and comes back. */
@Timeout(240)
class DatabaseAwayTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int NOTES = 60;

  @Test
  @Tag("F2")
  void aSpaceGoesOnWhenItsServerIsBack() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        TestCluster cluster = TestCluster.durable(settings(server), 2)) {
      TupleSpace space = SpaceClient.open(cluster.member(0), "market", "test");
      writes(space, 0, NOTES);

      // New connections are answered, those that are there are not.
      server.freezesSessions();
      CompletableFuture<Void> written = CompletableFuture.runAsync(() -> writes(space, NOTES, 10));
      written.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      server.endsFrozenSessions();

      dies(server, cluster);
      takes(space, NOTES + 10);
    }
  }

  private static ServerSettings settings(PostgresServer server) {
    return ServerSettings.of(server.url() + "&socketTimeout=2", "gleaner", Optional.empty());
  }

  /** The server dies while one member claims the cells of another that was killed. */
  private static void dies(PostgresServer server, TestCluster cluster) throws Exception {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE partition_owner IN EXCLUSIVE MODE");
      cluster.kills(cluster.member(1));
      await("a claim is under way").atMost(PATIENCE).until(() -> isAnyWaiting(statement));
      server.kill();
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as("it is closed after its server has died").startsWith("08");
    }
    server.startAgain();
  }

  private static boolean isAnyWaiting(Statement statement) throws SQLException {
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation ="
                + " 'partition_owner'::regclass")) {
      rows.next();
      return rows.getInt(1) > 0;
    }
  }

  private static void writes(TupleSpace space, int first, int count) {
    try {
      for (int number = first; number < first + count; number++) {
        space.write(new SpreadNote("shard" + number, number), null, Lease.FOREVER);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void takes(TupleSpace space, int count) throws Exception {
    for (int number = 0; number < count; number++) {
      Entry taken = space.take(new SpreadNote("shard" + number, number), null, PATIENCE.toMillis());
      assertThat(taken).as("entry %d", number).isNotNull();
    }
    assertThat(space.take(null, null, JavaSpace.NO_WAIT)).isNull();
  }
}

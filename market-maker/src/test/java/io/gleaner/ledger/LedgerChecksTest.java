package io.gleaner.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the database checks of the ledger, however long a node runs. */
@Timeout(60)
class LedgerChecksTest {
  private static final int CONNECTIONS = 4;

  @TempDir Path folder;

  @Test
  void aCheckOutlivesTheConnectionThatMadeIt() throws Exception {
    try (Database database = Database.open(StorageSettings.in(folder.resolve("data")))) {
      List<Connection> connections = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(database.dataSource().getConnection());
      }
      // The last one came after the migration; the others go, as those do that are idle or old.
      Connection stays = connections.remove(CONNECTIONS - 1);
      List<Long> before = new ArrayList<>();
      for (Connection each : connections) {
        before.add(number(each, "SELECT SESSION_ID()"));
        each.close();
      }
      database
          .dataSource()
          .unwrap(HikariDataSource.class)
          .getHikariPoolMXBean()
          .softEvictConnections();
      String still =
          "SELECT COUNT(*) FROM information_schema.sessions WHERE session_id IN ("
              + before.stream().map(String::valueOf).collect(Collectors.joining(", "))
              + ")";
      await().atMost(Duration.ofSeconds(30)).until(() -> number(stays, still) == 0);
      try (Statement statement = stays.createStatement()) {
        assertThat(
                statement.executeUpdate(
                    "INSERT INTO ledger_escrow (job_id, user_name, state, reason)"
                        + " VALUES ('job', 'ada', 'HELD', '')"))
            .isEqualTo(1);
      }
      try (Connection another = database.dataSource().getConnection();
          Statement statement = another.createStatement()) {
        assertThatThrownBy(
                () ->
                    statement.executeUpdate(
                        "INSERT INTO ledger_escrow (job_id, user_name, state, reason)"
                            + " VALUES ('other', 'ada', 'WRONG', '')"))
            .isInstanceOf(SQLIntegrityConstraintViolationException.class);
      }
    }
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}

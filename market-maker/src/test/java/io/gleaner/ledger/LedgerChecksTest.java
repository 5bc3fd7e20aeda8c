package io.gleaner.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the database checks of the ledger, however long a node runs. */
@Timeout(60)
class LedgerChecksTest {
  @TempDir Path folder;

  @Test
  void aCheckOutlivesTheConnectionThatMadeIt() throws Exception {
    try (Database database = Database.open(StorageSettings.in(folder.resolve("data")));
        Connection stays = database.dataSource().getConnection()) {
      // As the pool does by itself with connections that are idle for minutes or old.
      database
          .dataSource()
          .unwrap(HikariDataSource.class)
          .getHikariPoolMXBean()
          .softEvictConnections();
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
}

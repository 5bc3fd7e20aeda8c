package io.gleaner.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.audit.Actor;
import io.gleaner.audit.ChainReport;
import io.gleaner.audit.ChainReport.Finding;
import io.gleaner.audit.Deed;
import io.gleaner.audit.Evidence;
import io.gleaner.audit.Notary;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.ledger.Ledger.Settlement;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageException;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Somebody who may write to the database changes what was posted. */
@Timeout(120)
class AuditTest {
  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir Path folder;
  private Database database;

  @BeforeEach
  void open() {
    database = Database.open(settings());
    SqlLedger ledger = new SqlLedger(database.dataSource(), CLOCK, new LedgerSettings(100));
    ledger.grant("ada", 1_000, "first:ada");
    ledger.escrow("ada", "bag", 600);
    ledger.settle(
        List.of(new Settlement("bag", 0, 0, "bob", 100), new Settlement("bag", 1, 0, "bob", 50)),
        0);
    new SecurityLog(database.dataSource(), CLOCK)
        .record(SecurityEvent.done(Deed.USER_ADDED, Actor.NODE, "ada", ""));
    sign();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void whatNobodyTouchedIsCleanAndSignedToItsEnd() {
    Audit audit = audit();
    assertThat(audit.isClean()).isTrue();
    assertThat(audit.chains()).extracting(ChainReport::chain).containsExactly("ledger", "security");
    assertThat(audit.chains()).extracting(ChainReport::lines).containsExactly(6L, 1L);
    assertThat(audit.chains()).extracting(ChainReport::signedLine).containsExactly(6L, 1L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          line 2 was changed | UPDATE ledger_posting SET at_micros = 1 WHERE id = 2
          line 3 was changed | UPDATE ledger_line SET account = 'owner/bob' WHERE posting = 3 AND side = 0
          line 3 was changed | UPDATE ledger_line SET micros = 101 WHERE posting = 3 AND side = 1
          line 4 is missing  | DELETE FROM ledger_line WHERE posting = 4
          line 5 was changed | UPDATE ledger_posting SET cause = 'settle:bag:7:0' WHERE id = 5
          line 5 was changed | UPDATE ledger_posting SET hash = previous_hash WHERE id = 5
          end was cut off    | DELETE FROM ledger_line WHERE posting = 6
          MERGED             | UPDATE ledger_escrow SET user_name = 'mallory'
          BALANCE            | UPDATE ledger_account SET balance_micros = balance_micros + 1 WHERE name = 'owner/bob'
          head does not name | UPDATE ledger_head SET posting = 4
          """)
  void eachChangeIsFoundWithItsLine(String expected, String statement) throws SQLException {
    tamper(statement);
    assertThat(audit().isClean()).isFalse();
    assertThat(findings())
        .anySatisfy(
            found ->
                assertThat(found)
                    .contains(expected.equals("MERGED") ? "belongs to mallory" : expected));
  }

  @Test
  void postingsThatChangedPlacesAreFound() throws SQLException {
    tamper("ALTER TABLE ledger_line DROP CONSTRAINT " + foreignKey());
    for (String table : List.of("ledger_posting SET id", "ledger_line SET posting")) {
      String key = table.substring(table.lastIndexOf(' ') + 1);
      tamper("UPDATE " + table + " = 99 WHERE " + key + " = 3");
      tamper("UPDATE " + table + " = 3 WHERE " + key + " = 5");
      tamper("UPDATE " + table + " = 5 WHERE " + key + " = 99");
    }
    assertThat(findings())
        .anyMatch(found -> found.startsWith("line 3 was changed or moved"))
        .anyMatch(found -> found.startsWith("line 5 was changed or moved"));
  }

  @Test
  void aStoppedNodesDatabaseIsReadAsItIs() throws SQLException {
    database.close();
    try (Database read = Database.inspect(settings())) {
      assertThat(Audit.of(read.dataSource(), Evidence.NONE).isClean()).isTrue();
      try (Connection connection = read.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        assertThatThrownBy(() -> statement.executeUpdate("UPDATE ledger_head SET posting = 4"))
            .isInstanceOf(SQLException.class);
      }
    }
    Path nowhere = folder.resolve("nowhere");
    assertThatThrownBy(() -> Database.inspect(StorageSettings.in(nowhere)))
        .isInstanceOf(StorageException.class);
    assertThat(nowhere).doesNotExist();
    database = Database.open(settings());
  }

  private StorageSettings settings() {
    return StorageSettings.in(folder.resolve("database"));
  }

  private void sign() {
    Notary.start(
            database.dataSource(),
            List.of(SqlLedger.CHAIN, SecurityLog.CHAIN),
            folder.resolve("audit-key"),
            folder.resolve("checkpoints"),
            CLOCK,
            Duration.ofDays(1))
        .close();
  }

  private Audit audit() {
    return Audit.of(database.dataSource(), Evidence.NONE);
  }

  private List<String> findings() {
    Audit audit = audit();
    return Stream.concat(
            audit.chains().stream().flatMap(chain -> chain.findings().stream()).map(Finding::what),
            audit.violations().stream())
        .toList();
  }

  private String foreignKey() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT constraint_name FROM information_schema.referential_constraints"
                    + " WHERE constraint_name LIKE '%ledger_line%' OR constraint_name IN"
                    + " (SELECT constraint_name FROM information_schema.table_constraints"
                    + " WHERE table_name = 'ledger_line' AND constraint_type = 'FOREIGN KEY')")) {
      while (rows.next()) {
        String name = rows.getString(1);
        if (isOnPosting(connection, name)) {
          return "\"" + name + "\"";
        }
      }
      throw new IllegalStateException("ledger_line refers to no posting");
    }
  }

  private static boolean isOnPosting(Connection connection, String constraint) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT column_name FROM information_schema.key_column_usage"
                    + " WHERE constraint_name = '"
                    + constraint
                    + "'")) {
      return rows.next() && rows.getString(1).equalsIgnoreCase("posting");
    }
  }

  private void tamper(String statement) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement sql = connection.createStatement()) {
      sql.executeUpdate(statement);
    }
  }
}

package io.gleaner.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to the schema of a database that another version wrote. */
@Timeout(120)
class MigrationTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aSpaceOfAnotherFormatIsRefusedBeforeAnythingIsChanged(TestStore store) throws Exception {
    String place = store.in(folder);
    TestStore.open(place, Schema.NODE).close();
    try (var database = TestStore.open(place);
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO journal_format VALUES (1, 271)");
      // As it was before the last migration.
      statement.execute("ALTER TABLE partition_owner DROP COLUMN image_millis");
      statement.execute("DELETE FROM \"space_schema_history\" WHERE \"version\" = '3'");
    }
    assertThatThrownBy(() -> TestStore.open(place))
        .asInstanceOf(type(StorageException.class))
        .returns(StorageException.Code.FORMAT, StorageException::code)
        .extracting(Throwable::getMessage)
        .asString()
        .contains("holds a space of format 1 with 271 cells")
        .contains("Start the version and settings that wrote it");
    // Another schema of the same database opens, and shows what is there.
    try (var database = TestStore.open(place, Schema.NODE);
        Connection connection = database.dataSource().getConnection()) {
      assertThat(count(connection, "\"space_schema_history\" WHERE \"version\" = '3'")).isZero();
    }
  }

  @Test
  void aMigrationMayTakeLongerThanAServerMayBeSilent() throws Exception {
    String place = TestStore.SERVER.in(folder);
    TestStore.open(place).close();
    String impatient = place + (place.contains("?") ? "&" : "?") + "socketTimeout=1";
    try (Connection other = DriverManager.getConnection(place);
        Connection watching = DriverManager.getConnection(place);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE space_schema_history IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Database> opening =
          CompletableFuture.supplyAsync(() -> TestStore.open(impatient));
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> opening.isDone() || count(watching, "pg_locks WHERE NOT granted") > 0);
      statement.execute("SELECT pg_sleep(3)");
      other.commit();
      opening.get(60, TimeUnit.SECONDS).close();
    }
  }

  private static int count(Connection connection, String what) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + what)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}

package io.gleaner.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.gleaner.space.TestJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Timeout(60)
class DatabaseTest {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseTest.class);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void whatWasAcknowledgedIsThereAfterTheProcessWasHalted(int threads) throws Exception {
    Process process =
        TestJvm.program(CommittingProgram.class, folder.resolve("data"), 200, threads)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    List<String> output = Files.readAllLines(folder.resolve("output"), StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as("output: %s", output).isEqualTo(7);
    Set<Long> acknowledged = new HashSet<>();
    for (String line : output) {
      if (line.matches("acknowledged \\d+")) {
        acknowledged.add(Long.valueOf(line.substring("acknowledged ".length())));
      }
    }

    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(200);
    assertThat(idsIn(folder.resolve("data"))).containsAll(acknowledged);
  }

  @Test
  void aFolderInUseIsRefusedWithItsNameAndWhatToDo() throws Exception {
    try (var first = Database.open(StorageSettings.in(folder))) {
      assertThat(first.dataSource()).isNotNull();
      // The same process may share the file, so ask as another one would.
      Process second =
          TestJvm.program(CommittingProgram.class, folder, 1, 1)
              .redirectOutput(folder.resolve("output").toFile())
              .start();
      assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(folder.resolve("output")))
          .contains("another node has the data folder " + folder + " open; stop that node");
    }
  }

  @Test
  void settingsThatLoseCommitsAreRefused() throws SQLException {
    SyncedFiles.register();
    try (Connection lazy =
        DriverManager.getConnection(
            "jdbc:h2:synced:" + folder.resolve("lazy") + ";WRITE_DELAY=500")) {
      assertThatThrownBy(() -> Durability.requireOfFile(lazy, folder))
          .asInstanceOf(type(StorageException.class))
          .returns(StorageException.Code.NOT_DURABLE, StorageException::code);
    }
    try (Connection unsynced =
        DriverManager.getConnection("jdbc:h2:file:" + folder.resolve("plain") + ";WRITE_DELAY=0")) {
      assertThatThrownBy(() -> Durability.requireOfFile(unsynced, folder))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("would lose acknowledged commits");
    }
  }

  @Test
  void anInterruptedThreadDoesNotCloseTheDatabaseForTheOthers() throws SQLException {
    try (var database = Database.open(StorageSettings.in(folder))) {
      try (Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE acknowledged (id BIGINT)");
        for (int row = 0; row < 20; row++) {
          Thread.currentThread().interrupt();
          statement.execute("INSERT INTO acknowledged VALUES (" + row + ")");
          LOG.debug("still interrupted: {}", Thread.interrupted());
        }
      }
    }
    assertThat(idsIn(folder)).hasSize(20);
  }

  @Test
  void aSchemaOfANewerVersionIsRefused() throws SQLException {
    try (var database = Database.open(StorageSettings.in(folder));
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS \"flyway_schema_history\" (\"installed_rank\" INT PRIMARY KEY)");
      statement.execute(
          "INSERT INTO \"flyway_schema_history\" (\"installed_rank\", \"version\", \"description\","
              + " \"type\", \"script\", \"checksum\", \"installed_by\", \"execution_time\","
              + " \"success\") VALUES (9999, '9999', 'from the future', 'SQL', 'V9999__x.sql', 1,"
              + " 'x', 1, TRUE)");
    }
    assertThatThrownBy(() -> Database.open(StorageSettings.in(folder)))
        .asInstanceOf(type(StorageException.class))
        .returns(StorageException.Code.MIGRATION, StorageException::code);
  }

  @Test
  void theFolderIsForItsOwnerOnly() throws Exception {
    Path made = folder.resolve("a").resolve("b");
    try (var database = Database.open(StorageSettings.in(made))) {
      assertThat(database.dataSource()).isNotNull();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aFolderThatCouldSmuggleSettingsIsRefused() {
    assertThatThrownBy(() -> StorageSettings.in(folder.resolve("x;WRITE_DELAY=500")))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("semicolon");
  }

  private static Set<Long> idsIn(Path folder) throws SQLException {
    Set<Long> ids = new HashSet<>();
    try (var database = Database.open(StorageSettings.in(folder));
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM acknowledged")) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }
}

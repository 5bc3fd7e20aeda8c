package io.gleaner.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.gleaner.storage.StorageException.Code;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.h2.api.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's database: an H2 file that keeps every acknowledged commit, with its schema up to date
 * (D6). Safe for all threads; one per folder.
 *
 * <p>An interrupt that meets a thread while it writes is consumed: the write is done all the same.
 *
 * <p>SQL is written for PostgreSQL, whose dialect H2 is told to speak.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final HikariDataSource pool;
  private final Path folder;

  private Database(HikariDataSource pool, Path folder) {
    this.pool = pool;
    this.folder = folder;
  }

  /**
   * Opens the database and brings its schema up to date.
   *
   * @throws StorageException if that cannot be done durably; nothing stays open then
   */
  public static Database open(StorageSettings settings) {
    makeFolder(settings.folder());
    SyncedFiles.register();
    String url = url(settings);
    // Held until the pool has its own connection: H2 closes the file with the last one.
    try (Connection first = DriverManager.getConnection(url)) {
      requireDurable(first, settings.folder());
      HikariDataSource pool = pool(settings, url);
      try {
        migrate(pool, settings.folder());
      } catch (RuntimeException refused) {
        pool.close();
        throw refused;
      }
      LOG.info("database open in {}", settings.folder());
      return new Database(pool, settings.folder());
    } catch (SQLException e) {
      throw refusal(settings.folder(), e);
    }
  }

  /** Connections to it; commits return when they are on disk. */
  public DataSource dataSource() {
    return pool;
  }

  @Override
  public void close() {
    pool.close();
    LOG.info("database closed in {}", folder);
  }

  private static String url(StorageSettings settings) {
    // A thread that is interrupted while it writes closes the file for all; "retry" opens it again.
    return "jdbc:h2:retry:"
        + SyncedFiles.SCHEME
        + ":"
        + settings.folder().resolve("gleaner")
        + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
        + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT="
        + settings.lockMillis();
  }

  private static HikariDataSource pool(StorageSettings settings, String url) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("gleaner-database");
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(settings.connections());
    config.setMinimumIdle(1);
    config.setConnectionTimeout(settings.connectMillis());
    return new HikariDataSource(config);
  }

  private static void migrate(DataSource source, Path folder) {
    try {
      Flyway.configure()
          .dataSource(source)
          .locations("classpath:db/migration")
          .validateOnMigrate(true)
          // Its default lets a schema of a newer version pass.
          .ignoreMigrationPatterns(new String[0])
          .cleanDisabled(true)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new StorageException(
          Code.MIGRATION,
          "the database in "
              + folder
              + " cannot be brought up to date by this version; start the version that wrote it, or"
              + " restore a backup: "
              + e.getMessage(),
          e);
    }
  }

  /** Asks the engine itself: what counts is what it does, not what the URL says. */
  static void requireDurable(Connection connection, Path folder) throws SQLException {
    String delay = setting(connection, "WRITE_DELAY");
    String file = setting(connection, "DATABASE_PATH");
    if (!delay.equals("0") || !file.contains(SyncedFiles.SCHEME + ":")) {
      throw new StorageException(
          Code.NOT_DURABLE,
          "the database in "
              + folder
              + " would lose acknowledged commits: write delay "
              + delay
              + " ms, file "
              + file
              + "; expected a write delay of 0 and a synced file. Another program of this process"
              + " opened it with other settings; close that first");
    }
  }

  private static String setting(Connection connection, String name) throws SQLException {
    String sql =
        name.equals("DATABASE_PATH")
            ? "SELECT DATABASE_PATH()"
            : "SELECT setting_value FROM information_schema.settings WHERE setting_name = '"
                + name
                + "'";
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      String value = rows.next() ? rows.getString(1) : null;
      return value == null ? "unknown" : value;
    }
  }

  private static void makeFolder(Path folder) {
    try {
      if (Files.isDirectory(folder)) {
        return;
      }
      if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } else {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw new StorageException(
          Code.UNUSABLE,
          "the data folder " + folder + " cannot be made; name one that this user may write",
          e);
    }
  }

  private static StorageException refusal(Path folder, SQLException e) {
    if (e.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1) {
      return new StorageException(
          Code.LOCKED,
          "another node has the data folder "
              + folder
              + " open; stop that node, or start this one with a folder of its own",
          e);
    }
    return new StorageException(
        Code.UNUSABLE,
        "the database in "
            + folder
            + " cannot be opened; check that this user may read and write there and that the disk"
            + " has room: "
            + e.getMessage(),
        e);
  }
}

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
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.h2.api.ErrorCode;
import org.h2.engine.Session;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that keeps every acknowledged commit, with its schema up to date (D6): an H2 file, one
 * per folder, or a PostgreSQL server. Safe for all threads.
 *
 * <p>An interrupt that meets a thread while it writes is consumed: the write is done all the same.
 *
 * <p>SQL is written for PostgreSQL, whose dialect H2 is told to speak.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private static final int IDLE_MILLIS = 10_000;

  /** A server that says nothing for so long in the middle of something is taken for gone. */
  private static final int SILENCE_SECONDS = 30;

  private static final int CONNECT_SECONDS = 10;

  /** What PostgreSQL's driver says when it has no password to give. */
  private static final String NOT_LET_IN = "08004";

  private final HikariDataSource pool;
  private final String place;
  private final boolean shared;

  private Database(HikariDataSource pool, String place, boolean shared) {
    this.pool = pool;
    this.place = place;
    this.shared = shared;
  }

  /** As {@link #open(StorageSettings, Schema)}, for what a node keeps beside the space. */
  public static Database open(StorageSettings settings) {
    return open(settings, Schema.NODE);
  }

  /**
   * Opens the database of a folder and brings its schema up to date.
   *
   * @throws StorageException if that cannot be done durably; nothing stays open then
   */
  public static Database open(StorageSettings settings, Schema schema) {
    makeFolder(settings.folder());
    SyncedFiles.register();
    String url = url(settings);
    migrateFile(settings, url, schema);
    // Held until the pool has its own connection: H2 closes the file with the last one.
    try (Connection first = DriverManager.getConnection(url)) {
      Durability.requireOfFile(first, settings.folder());
      return open(config(url, settings.connections(), settings.connectMillis()), schema, false);
    } catch (SQLException e) {
      throw refusal(settings.folder(), e);
    }
  }

  /**
   * Migrates and closes the file: a CHECK (x IN (...)) of H2 2.4.240 works as long as the
   * connection that made it is open, or once the file was opened again.
   */
  private static void migrateFile(StorageSettings settings, String url, Schema schema) {
    try (Connection first = DriverManager.getConnection(url);
        HikariDataSource migrating =
            new HikariDataSource(config(url, 2, settings.connectMillis()))) {
      Durability.requireOfFile(first, settings.folder());
      migrate(migrating, schema, settings.folder().toString());
    } catch (SQLException e) {
      throw refusal(settings.folder(), e);
    }
  }

  /**
   * Connects to a server and brings the schema up to date.
   *
   * @throws StorageException if that cannot be done durably; nothing stays open then
   */
  public static Database connect(ServerSettings settings, Schema schema) {
    HikariConfig config = config(settings.url(), settings.connections(), settings.connectMillis());
    Properties properties = properties(settings);
    config.setDataSourceProperties(properties);
    // Else a process that is frozen in the middle of a commit holds up all others that share it.
    config.setConnectionInitSql("SET idle_in_transaction_session_timeout = " + IDLE_MILLIS);
    // Without its settings, which may hold a password.
    String place = settings.url().split("[?]", 2)[0];
    try (Connection first = DriverManager.getConnection(settings.url(), properties)) {
      Durability.requireOfServer(first, place);
    } catch (SQLException e) {
      throw new StorageException(Code.UNUSABLE, refusal(place, settings, e), e);
    }
    try (HikariDataSource patient = new HikariDataSource(patient(settings))) {
      migrate(patient, schema, place);
    }
    return open(config, schema, true);
  }

  /**
   * Opens the database of a folder to read it as it is: nothing is migrated or written.
   *
   * @throws StorageException if there is none, or a node has it open
   */
  public static Database inspect(StorageSettings settings) {
    SyncedFiles.register();
    String url = url(settings) + ";ACCESS_MODE_DATA=r;IFEXISTS=TRUE";
    try (Connection first = DriverManager.getConnection(url)) {
      LOG.debug("database {} is there", first.getMetaData().getURL());
      return inspect(config(url, 2, settings.connectMillis()), false);
    } catch (SQLException e) {
      throw refusal(settings.folder(), e);
    }
  }

  /**
   * Connects to a server to read as it is what nodes keep there.
   *
   * @throws StorageException if it cannot be reached
   */
  public static Database inspect(ServerSettings settings) {
    HikariConfig config = config(settings.url(), 2, settings.connectMillis());
    Properties properties = properties(settings);
    config.setDataSourceProperties(properties);
    String place = settings.url().split("[?]", 2)[0];
    try (Connection first = DriverManager.getConnection(settings.url(), properties)) {
      first.setReadOnly(true);
      return inspect(config, true);
    } catch (SQLException e) {
      throw new StorageException(Code.UNUSABLE, refusal(place, settings, e), e);
    }
  }

  private static Database inspect(HikariConfig config, boolean shared) {
    config.setReadOnly(true);
    return new Database(
        new HikariDataSource(config), config.getJdbcUrl().split("[;?]", 2)[0], shared);
  }

  /** For migrations, which may take longer than anything else: the server may be silent. */
  private static HikariConfig patient(ServerSettings settings) {
    String url = settings.url().replaceAll("(?<=[?&])socketTimeout=[^&]*", "");
    HikariConfig config = config(url, 2, settings.connectMillis());
    Properties properties = properties(settings);
    properties.setProperty("socketTimeout", "0");
    config.setDataSourceProperties(properties);
    return config;
  }

  /** What its URL does not say otherwise. */
  private static Properties properties(ServerSettings settings) {
    Properties properties = new Properties();
    properties.setProperty("user", settings.user());
    settings.password().ifPresent(password -> properties.setProperty("password", password));
    properties.setProperty("socketTimeout", Integer.toString(SILENCE_SECONDS));
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
    properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS));
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }

  private static Database open(HikariConfig config, Schema schema, boolean shared) {
    // Without its settings, which may hold a password.
    String place = config.getJdbcUrl().split("[;?]", 2)[0];
    HikariDataSource pool = new HikariDataSource(config);
    LOG.info("database {} is open for the {}", place, schema.text());
    return new Database(pool, place, shared);
  }

  /** Connections to it; commits return when they are on disk. */
  public DataSource dataSource() {
    return pool;
  }

  /** Whether other processes may use it at the same time. */
  public boolean shared() {
    return shared;
  }

  /**
   * After a write that failed, H2 writes no more until its file is closed and opened again: this
   * does so. What uses it meanwhile fails.
   */
  void reopen() {
    if (shared) {
      return;
    }
    try (Connection connection = pool.getConnection()) {
      // Not by SQL: after such a failure the store may turn each statement into an endless loop.
      Session session = connection.unwrap(JdbcConnection.class).getSession();
      ((SessionLocal) session).getDatabase().shutdownImmediately();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("database {} was closed by force", place, e);
    }
    pool.getHikariPoolMXBean().softEvictConnections();
  }

  @Override
  public String toString() {
    return place;
  }

  @Override
  public void close() {
    pool.close();
    LOG.info("database {} is closed", place);
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

  /** Refuses what a version wrote whose space this one cannot read, before it changes anything. */
  private static void refuseOther(DataSource source, Schema schema, String place) {
    if (schema != Schema.SPACE) {
      return;
    }
    try (Connection connection = source.getConnection()) {
      JournalTables.refuseOther(connection, place);
    } catch (SQLException e) {
      throw new StorageException(
          Code.UNUSABLE, "the database " + place + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static HikariConfig config(String url, int connections, long connectMillis) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("gleaner-database");
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(connectMillis);
    return config;
  }

  private static void migrate(DataSource source, Schema schema, String place) {
    refuseOther(source, schema, place);
    try {
      Flyway.configure()
          .dataSource(source)
          .locations(schema.migrations())
          .table(schema.history())
          // Another schema may live in the same database.
          .baselineOnMigrate(schema == Schema.SPACE)
          .baselineVersion("0")
          .validateOnMigrate(true)
          // Its default lets a schema of a newer version pass.
          .ignoreMigrationPatterns(new String[0])
          .cleanDisabled(true)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new StorageException(
          Code.MIGRATION,
          "the database "
              + place
              + " cannot be brought up to date by this version; start the version that wrote it, or"
              + " restore a backup: "
              + e.getMessage(),
          e);
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

  private static String refusal(String place, ServerSettings settings, SQLException e) {
    String user = settings.user();
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    if (state.startsWith("28")) {
      return "the server does not let user "
          + user
          + " into the database "
          + place
          + "; check the user and the password, and who may connect in pg_hba.conf: "
          + e.getMessage();
    } else if (state.equals(NOT_LET_IN) && settings.password().isEmpty()) {
      return "the server asks user "
          + user
          + " for a password to the database "
          + place
          + ", and none was given; name a file that holds it: "
          + e.getMessage();
    } else if (state.equals("3D000")) {
      return "there is no database "
          + place
          + "; name one that is there, or make it: "
          + e.getMessage();
    }
    return "the database "
        + place
        + " cannot be reached; check that its server runs, and its address: "
        + e.getMessage();
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

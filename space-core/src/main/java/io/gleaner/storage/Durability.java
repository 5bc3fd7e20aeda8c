package io.gleaner.storage;

import io.gleaner.storage.StorageException.Code;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Refuses a database that may forget a commit. What counts is what the engine itself says. */
final class Durability {
  private Durability() {}

  static void requireOfFile(Connection connection, Path folder) throws SQLException {
    String delay =
        answer(
            connection,
            "SELECT setting_value FROM information_schema.settings WHERE setting_name ="
                + " 'WRITE_DELAY'");
    String file = answer(connection, "SELECT DATABASE_PATH()");
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

  static void requireOfServer(Connection connection, String url) throws SQLException {
    String commit = answer(connection, "SHOW synchronous_commit");
    String fsync = answer(connection, "SHOW fsync");
    if (commit.equals("off") || !fsync.equals("on")) {
      throw new StorageException(
          Code.NOT_DURABLE,
          "the database "
              + url
              + " would lose acknowledged commits: synchronous_commit = "
              + commit
              + ", fsync = "
              + fsync
              + "; expected both on. Set them so in postgresql.conf, and for this user and database");
    }
  }

  private static String answer(Connection connection, String question) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question)) {
      String value = rows.next() ? rows.getString(1) : null;
      return value == null ? "unknown" : value;
    }
  }
}

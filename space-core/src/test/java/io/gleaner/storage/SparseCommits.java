package io.gleaner.storage;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Two writers that count in a database, say each number once it is committed, and pause. */
final class SparseCommits {
  static final int WRITERS = 2;
  private static final int LONGEST_PAUSE_MILLIS = 1_500;

  private SparseCommits() {}

  /** Arguments: the folder, a seed. */
  public static void main(String[] arguments) throws SQLException {
    Database database = Database.open(StorageSettings.in(Path.of(arguments[0])), Schema.NODE);
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS counted (writer INT, number INT, PRIMARY KEY (writer, number))");
    }
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      Random random = new Random(Long.parseLong(arguments[1]) + i);
      int last = last(database, writer);
      System.out.println("found " + writer + " " + last);
      new Thread(() -> count(database, writer, last, random)).start();
    }
  }

  private static int last(Database database, int writer) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT COALESCE(MAX(number), 0) FROM counted WHERE writer = ?")) {
      select.setInt(1, writer);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  private static void count(Database database, int writer, int last, Random random) {
    for (int number = last + 1; ; number++) {
      try (Connection connection = database.dataSource().getConnection();
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO counted VALUES (?, ?)")) {
        insert.setInt(1, writer);
        insert.setInt(2, number);
        insert.executeUpdate();
      } catch (SQLException e) {
        System.out.println("failed " + e);
        return;
      }
      System.out.println("committed " + writer + " " + number);
      if (random.nextInt(4) == 0) {
        LockSupport.parkNanos(random.nextInt(LONGEST_PAUSE_MILLIS) * 1_000_000L);
      }
    }
  }
}

package io.gleaner.storage;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;

/** Commits rows from several threads, says so on its output after each, and halts. */
final class CommittingProgram {
  private CommittingProgram() {}

  /** Arguments: folder, rows, threads. */
  public static void main(String[] arguments) throws Exception {
    int rows = Integer.parseInt(arguments[1]);
    int threads = Integer.parseInt(arguments[2]);
    Database database = Database.open(StorageSettings.in(Path.of(arguments[0])));
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE acknowledged (id BIGINT PRIMARY KEY, text VARCHAR(100))");
    }
    for (int thread = 0; thread < threads; thread++) {
      long first = thread * 1_000_000L;
      new Thread(() -> commit(database, first, rows)).start();
    }
  }

  private static void commit(Database database, long first, int rows) {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO acknowledged VALUES (?, 'a row')")) {
        for (long id = first; id < first + rows; id++) {
          insert.setLong(1, id);
          insert.executeUpdate();
          connection.commit();
          System.out.println("acknowledged " + id);
        }
        System.out.flush();
        // The first thread that is done pulls the plug, in the middle of what the others do.
        Runtime.getRuntime().halt(7);
      }
    } catch (java.sql.SQLException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }
}

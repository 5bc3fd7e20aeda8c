package io.gleaner.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** The two kinds of database that a journal may have, for tests that hold for both. */
public enum TestStore {
  FILE,
  SERVER;

  /** Serves all tests of this process, each with a database of its own. */
  private static PostgresServer server;

  /** An empty database, which {@link #open(String)} opens; in the folder, or on a server. */
  public String in(Path folder) throws IOException, SQLException {
    if (this == FILE) {
      return folder.resolve("space").toString();
    }
    String name = "test_" + UUID.randomUUID().toString().replace('-', '_');
    PostgresServer running = server();
    try (var connection = DriverManager.getConnection(running.url());
        var statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return running.url(name);
  }

  private static synchronized PostgresServer server() throws IOException {
    if (server == null) {
      server = PostgresServer.start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
    return server;
  }

  static Database open(String place) {
    return open(place, Schema.SPACE);
  }

  public static Database open(String place, Schema schema) {
    return place.startsWith("jdbc:")
        ? Database.connect(ServerSettings.of(place, "gleaner", Optional.empty()), schema)
        : Database.open(StorageSettings.in(Path.of(place)), schema);
  }
}

package io.gleaner.bench;

import io.gleaner.blob.FileBlobStore;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.gateway.GatewayServer;
import io.gleaner.gateway.GatewaySettings;
import io.gleaner.secrets.Secret;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceSettings;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The main class of a process with the space and the gateway of a node and nothing else of it. Says
 * port and join token in one line, and ends when its standard input does.
 */
final class SpaceServer {
  private static final long BLOB_BYTES = 1 << 20;

  private SpaceServer() {}

  /** Argument: an empty folder. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Vertx vertx = Vertx.vertx();
    try (Database database = Database.open(StorageSettings.in(folder.resolve("database")));
        HazelcastSpace space = HazelcastSpace.start(SpaceSettings.defaults())) {
      JoinTokens tokens = new JoinTokens(database.dataSource(), InstantSource.system());
      Secret token = tokens.issue(JoinTokens.APPLICATION, "bench", Duration.ofDays(1));
      try (GatewayServer gateway =
          GatewayServer.start(
              vertx,
              GatewaySettings.onPort(0),
              space,
              new FileBlobStore(folder.resolve("blobs"), BLOB_BYTES),
              tokens)) {
        System.out.println(gateway.port() + " " + token.reveal());
        while (System.in.read() >= 0) {
          // Whoever started this process says nothing; the end of its standard input is the end.
        }
      }
    }
    System.exit(0);
  }
}

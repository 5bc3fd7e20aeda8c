package io.gleaner.bench;

import io.gleaner.authority.PoolRole;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.gateway.Entrance;
import io.gleaner.gateway.GatewayServer;
import io.gleaner.gateway.GatewaySettings;
import io.gleaner.secrets.Secret;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.SpaceSettings;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of a process with the space and the gateway of a node and nothing else of it. Says
 * port and join token in one line, and ends when its standard input does.
 */
final class SpaceServer {
  private static final long BLOB_BYTES = 1 << 20;
  private static final long LOOK_NANOS = 20_000_000;

  private SpaceServer() {}

  /** Where acknowledged changes are. */
  enum Kind {
    IN_MEMORY,
    ON_DISK
  }

  /** Arguments: an empty folder, then the kind. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    BufferedReader told =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    SpaceSettings settings = SpaceSettings.of(member(told.readLine().split(" ")));
    Vertx vertx = Vertx.vertx();
    try (Database database = Database.open(StorageSettings.in(folder.resolve("database")));
        HazelcastSpace space = space(Kind.valueOf(arguments[1]), settings, folder)) {
      JoinTokens tokens = new JoinTokens(database.dataSource(), InstantSource.system());
      Secret token = tokens.issue(PoolRole.APPLICATION, "bench", Duration.ofDays(1));
      try (GatewayServer gateway =
          GatewayServer.start(
              vertx,
              GatewaySettings.onPort(0),
              space,
              new FileBlobStore(folder.resolve("blobs"), BLOB_BYTES),
              new Entrance.ByToken(tokens))) {
        System.out.println(gateway.port() + " " + token.reveal() + " " + space.member().address());
        if (!settings.member().founds()) {
          while (!space.member().isSettled()) {
            LockSupport.parkNanos(LOOK_NANOS);
          }
          System.out.println("settled");
        }
        while (told.read() >= 0) {
          // Whoever started this process says nothing more; the end of the input is the end.
        }
      }
    }
    System.exit(0);
  }

  private static HazelcastSpace space(Kind kind, SpaceSettings settings, Path folder) {
    return switch (kind) {
      case IN_MEMORY -> HazelcastSpace.start(settings);
      case ON_DISK ->
          HazelcastSpace.startDurable(settings, StorageSettings.in(folder.resolve("space")));
    };
  }

  private static MemberSettings member(String[] told) {
    MemberSettings founding = MemberSettings.founding("bench", Secret.of(told[0]));
    return told.length == 1 ? founding : founding.joining(List.of(told[1]));
  }
}

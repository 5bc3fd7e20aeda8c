package io.gleaner.bench;

import io.gleaner.authority.Authority;
import io.gleaner.authority.AuthoritySettings;
import io.gleaner.authority.FolderAuthorityKeys;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.SqlPoolRegistry;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.blob.UserBlobs;
import io.gleaner.enrolment.Enrolment;
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
import io.gleaner.tls.MemberFile;
import io.gleaner.tls.NodeCredentials;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of a process with the space and the gateway of a node and nothing else of it. Says
 * in one line its ports, with TLS and in clear text, a join token and its address, and ends when
 * its standard input does.
 */
final class SpaceServer {
  private static final long BLOB_BYTES = 1 << 20;
  private static final long LOOK_NANOS = 20_000_000;

  /** The user that all clients act for. */
  static final String OWNER = "bench";

  /** Where the clients' certificate lies, in the folder of the server. */
  static final String CLIENT = "client";

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
      Secret token = tokens.issue(PoolRole.APPLICATION, OWNER, Duration.ofDays(1));
      UserBlobs blobs = new FileBlobStore(folder.resolve("blobs"), BLOB_BYTES);
      try (GatewayServer gateway = serve(vertx, space, blobs, certificates(database, folder));
          GatewayServer clear = serve(vertx, space, blobs, new Entrance.ByToken(tokens))) {
        System.out.println(
            gateway.port()
                + " "
                + clear.port()
                + " "
                + token.reveal()
                + " "
                + space.member().address());
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

  private static GatewayServer serve(
      Vertx vertx, HazelcastSpace space, UserBlobs blobs, Entrance entrance) {
    return GatewayServer.start(vertx, GatewaySettings.onPort(0), space, blobs, entrance);
  }

  /** Founds a pool, and leaves a certificate for clients in the folder. */
  private static Entrance certificates(Database database, Path folder) {
    InstantSource clock = InstantSource.system();
    SqlPoolRegistry registry = new SqlPoolRegistry(database.dataSource());
    Authority authority =
        Authority.open(
            AuthoritySettings.of("bench"),
            registry,
            new FolderAuthorityKeys(folder),
            Secret.random(),
            clock);
    Revocations revocations = new Revocations(registry, System::nanoTime);
    Thread polls = new Thread(() -> poll(revocations), "bench-revocations");
    polls.setDaemon(true);
    revocations.poll();
    polls.start();
    MemberFile client = new MemberFile(folder.resolve(CLIENT), clock);
    IssuedCertificate issued =
        authority.issue(
            new PoolIdentity("bench", PoolRole.APPLICATION, OWNER, "client"),
            new SigningRequest(client.pendingKey().getPublic()));
    List<X509Certificate> answer = new ArrayList<>(List.of(issued.certificate()));
    answer.addAll(authority.trust().above());
    client.joined(answer, authority.trust());
    return new Entrance.ByCertificate(
        PoolKeys.of(new NodeCredentials(authority, "node", List.of("127.0.0.1"), clock)),
        PoolTrust.ofNode(authority::trust, revocations, clock),
        revocations,
        new Enrolment(authority, new JoinTokens(database.dataSource(), clock)),
        clock);
  }

  private static void poll(Revocations revocations) {
    while (true) {
      LockSupport.parkNanos(Revocations.POLL.toNanos());
      revocations.poll();
    }
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

package io.gleaner.gateway;

import io.gleaner.authority.PoolRole;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.blob.UserBlobs;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.limits.Rates;
import io.gleaner.secrets.Secret;
import io.gleaner.signing.Digests;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.SpaceEngine;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;

/** A gateway on a free port with a real token table, a blob folder and an engine. */
public final class TestGateway implements AutoCloseable {
  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  final NodeEngine engine;
  final UserBlobs blobs;
  final JoinTokens tokens;
  private final JdbcDataSource database = new JdbcDataSource();
  final Secret token;
  final GatewayServer server;
  private final Vertx vertx = Vertx.vertx();

  private TestGateway(NodeEngine engine, UserBlobs blobs, GatewaySettings settings)
      throws SQLException {
    this(engine, blobs, settings, Optional.empty(), Holding.Total.ofHeap(settings));
  }

  private TestGateway(
      NodeEngine engine,
      UserBlobs blobs,
      GatewaySettings settings,
      Optional<Secret> known,
      Holding.Total held)
      throws SQLException {
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("runscript from 'classpath:db/migration/V1__identity.sql'");
      statement.execute("runscript from 'classpath:db/migration/V18__enrolment.sql'");
      statement.execute("runscript from 'classpath:db/migration/V27__inviters.sql'");
    }
    this.engine = engine;
    this.blobs = blobs;
    this.tokens = new JoinTokens(database, InstantSource.system());
    this.token = tokens.issue(PoolRole.APPLICATION, "ada", Duration.ofHours(1));
    if (known.isPresent()) {
      knows(known.get());
    }
    this.server =
        GatewayServer.start(vertx, settings, engine, blobs, new Entrance.ByToken(tokens), held);
  }

  /** With the usual limits and times, for tests that meet none of them on a busy machine. */
  public static TestGateway startUsual(NodeEngine engine, Path folder)
      throws IOException, SQLException {
    return start(engine, folder, quick -> GatewaySettings.onPort(0));
  }

  /** As above, on a port that it finds free again when it comes back. */
  static TestGateway startToComeBack(NodeEngine engine, Path folder)
      throws IOException, SQLException {
    int port = LastingPort.find();
    return start(engine, folder, quick -> GatewaySettings.onPort(port));
  }

  public static TestGateway start(NodeEngine engine, Path folder) throws IOException, SQLException {
    return start(engine, folder, UnaryOperator.identity());
  }

  static TestGateway start(NodeEngine engine, Path folder, UnaryOperator<GatewaySettings> change)
      throws IOException, SQLException {
    GatewaySettings settings = change.apply(quick());
    return new TestGateway(engine, new FileBlobStore(folder, settings.blobBytes()), settings);
  }

  /** With times that nothing in a test runs into; connections have it hold no more than that. */
  static TestGateway startHolding(NodeEngine engine, Path folder, Holding.Total held)
      throws IOException, SQLException {
    GatewaySettings settings = unhurried(quick());
    return new TestGateway(
        engine, new FileBlobStore(folder, settings.blobBytes()), settings, Optional.empty(), held);
  }

  /** On that port, with a token that an earlier one issued. */
  static TestGateway startAgain(NodeEngine engine, Path folder, int port, Secret known)
      throws IOException, SQLException {
    GatewaySettings settings = GatewaySettings.onPort(port);
    return new TestGateway(
        engine,
        new FileBlobStore(folder, settings.blobBytes()),
        settings,
        Optional.of(known),
        Holding.Total.ofHeap(settings));
  }

  /** With the usual limits, and the blobs of users. */
  static TestGateway startUsual(NodeEngine engine, UserBlobs blobs) throws SQLException {
    return new TestGateway(engine, blobs, GatewaySettings.onPort(0));
  }

  /** Limits and times small enough to be met in a test. */
  static GatewaySettings quick() {
    return new GatewaySettings(
        "127.0.0.1",
        0,
        1024 * 1024,
        64 * 1024,
        100,
        SpaceEngine.WINDOW,
        new OwnerLimits(4, 2 * SpaceEngine.WINDOW, 4 * 1024 * 1024),
        8,
        16 * 1024 * 1024,
        Duration.ofMillis(500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(2),
        Duration.ofSeconds(2),
        Rates.standard());
  }

  /** The same limits, and times that nothing in a test runs into. */
  static GatewaySettings unhurried(GatewaySettings limits) {
    Duration hour = Duration.ofHours(1);
    return new GatewaySettings(
        limits.host(),
        limits.port(),
        limits.frameBytes(),
        limits.entryBytes(),
        limits.batchEntries(),
        limits.waitingOperations(),
        limits.ofOwner(),
        limits.links(),
        limits.blobBytes(),
        hour,
        hour,
        hour,
        limits.drain(),
        limits.rates());
  }

  /** Times that nothing in a test runs into, and the given limits of connections. */
  static GatewaySettings patient(int linksPerOwner, int links) {
    Duration hour = Duration.ofHours(1);
    return new GatewaySettings(
        "127.0.0.1",
        0,
        1024 * 1024,
        64 * 1024,
        100,
        SpaceEngine.WINDOW,
        OwnerLimits.of(linksPerOwner),
        links,
        16 * 1024 * 1024,
        hour,
        hour,
        hour,
        Duration.ofMinutes(1),
        Rates.standard());
  }

  /** Lets a token in that another node issued. */
  void knows(Secret issued) throws SQLException {
    try (var connection = database.getConnection();
        var insert =
            connection.prepareStatement(
                "insert into join_token (token_hash, role_name, owner_name, issued_millis,"
                    + " expires_millis) values (?, ?, ?, ?, ?)")) {
      insert.setString(1, Digests.sha256Hex(issued.reveal()));
      insert.setString(2, PoolRole.APPLICATION.text());
      insert.setString(3, "ada");
      insert.setLong(4, 0);
      insert.setLong(5, Long.MAX_VALUE);
      insert.executeUpdate();
    }
  }

  GatewayAddress address() {
    return new GatewayAddress("127.0.0.1", server.port());
  }

  GatewayConnection client() {
    return client(address());
  }

  /** A client that has all the time it needs. */
  public GatewayConnection patientClient() {
    return patientClient(address());
  }

  GatewayConnection patientClient(GatewayAddress address) {
    return patientClient(address, token);
  }

  /** For applications of another user. */
  Secret tokenOf(String user) {
    return tokens.issue(PoolRole.APPLICATION, user, Duration.ofHours(1));
  }

  /** A client of another user. */
  GatewayConnection patientClientOf(String user) {
    return patientClient(address(), tokenOf(user));
  }

  /** A launcher called laptop of another user. */
  GatewayConnection patientLauncherOf(String user) {
    return patientClient(address(), tokens.issue(user, Duration.ofHours(1)));
  }

  /** A browser called laptop of a user. */
  GatewayConnection patientTabOf(String user) {
    return patientClient(address(), tokens.issue(PoolRole.BROWSER, user, Duration.ofHours(1)));
  }

  private static GatewayConnection patientClient(GatewayAddress address, Secret token) {
    return GatewayConnection.connect(
        address,
        token,
        "laptop",
        new ConnectSettings(Duration.ofSeconds(60), Duration.ofSeconds(120)));
  }

  GatewayConnection client(GatewayAddress address) {
    return GatewayConnection.connect(
        address,
        token,
        "laptop",
        new ConnectSettings(Duration.ofSeconds(2), Duration.ofSeconds(8)));
  }

  @Override
  public void close() throws Exception {
    server.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(5, TimeUnit.SECONDS);
  }
}

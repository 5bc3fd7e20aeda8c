package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Notary;
import io.gleaner.audit.SecurityLog;
import io.gleaner.authority.Authority;
import io.gleaner.authority.AuthoritySettings;
import io.gleaner.authority.PoolRegistry;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.SqlAuthorityKeys;
import io.gleaner.authority.SqlPoolRegistry;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.enrolment.Members;
import io.gleaner.http.ConsoleSettings;
import io.gleaner.http.ConsoleTls;
import io.gleaner.identity.ApiTokens;
import io.gleaner.identity.Role;
import io.gleaner.identity.Sessions;
import io.gleaner.identity.TokenScope;
import io.gleaner.identity.Users;
import io.gleaner.ledger.LedgerSettings;
import io.gleaner.ledger.SqlLedger;
import io.gleaner.limits.Pace;
import io.gleaner.rest.Auditing;
import io.gleaner.rest.NodeFacts;
import io.gleaner.secrets.Secret;
import io.gleaner.signin.OpenIdSettings;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.gleaner.tls.NodeCredentials;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real console on a free port: real users, tokens, ledger and blobs on H2 and disk. */
public final class TestConsole implements AutoCloseable {
  public static final String PASSWORD = "correct horse battery";
  public static final long MAX_BLOB_BYTES = 64 * 1024;

  private final Path folder;
  private final Vertx vertx = Vertx.vertx();
  private final Database database;
  private final ConsoleServer server;
  private final Sessions sessions;
  private final ApiTokens tokens;
  private final MemoryBags bags;
  private final MemoryMarket market = new MemoryMarket();
  private final Notary notary;
  private final Authority authority;
  private final Users users;
  static final int REQUESTS_AT_ONCE = 1_000;

  private final Path blobFolder;
  private final FileBlobStore blobs;

  private TestConsole(Path folder, int port, boolean tls, Optional<OpenIdSettings> openId)
      throws IOException {
    this.folder = folder;
    InstantSource clock = InstantSource.system();
    database = Database.open(StorageSettings.in(folder.resolve("db")));
    users = new Users(database.dataSource(), clock);
    users.create("alice", Role.SUBMITTER, Secret.of(PASSWORD));
    users.create("bob", Role.SUBMITTER, Secret.of(PASSWORD));
    users.create("olga", Role.OPERATOR, Secret.of(PASSWORD));
    users.create("otto", Role.OWNER, Secret.of(PASSWORD));
    users.create("auda", Role.AUDITOR, Secret.of(PASSWORD));
    sessions = new Sessions(clock);
    tokens = new ApiTokens(database.dataSource(), clock);
    SqlLedger ledger = new SqlLedger(database.dataSource(), clock, LedgerSettings.defaults());
    for (String user : List.of("alice", "bob", "olga")) {
      ledger.grant(user, 100_000_000, "first:" + user);
    }
    bags = new MemoryBags(clock, ledger);
    blobFolder = folder.resolve("blobs");
    blobs = new FileBlobStore(blobFolder, 1024 * 1024);
    authority =
        Authority.open(
            AuthoritySettings.of("test"),
            new SqlPoolRegistry(database.dataSource()),
            new SqlAuthorityKeys(database.dataSource()),
            Secret.of(PASSWORD),
            clock);
    SecurityLog log = new SecurityLog(database.dataSource(), clock);
    notary =
        Notary.start(
            database.dataSource(),
            List.of(SqlLedger.CHAIN, SecurityLog.CHAIN),
            folder.resolve("audit-key"),
            folder.resolve("checkpoints"),
            clock,
            Duration.ofHours(1));
    ConsoleSettings settings =
        new ConsoleSettings(
            "127.0.0.1",
            port,
            tls ? Optional.of(new ConsoleTls(node(clock), false)) : Optional.empty(),
            folder.resolve("uploads"),
            32 * 1024,
            MAX_BLOB_BYTES,
            256 * 1024,
            Duration.ofSeconds(20),
            20,
            3,
            new Pace(REQUESTS_AT_ONCE, 20),
            4);
    server =
        ConsoleServer.start(
            vertx,
            settings,
            new ConsoleParts(
                bags,
                new MemorySigners(),
                ledger,
                market,
                blobs,
                users,
                sessions,
                tokens,
                user -> ledger.grant(user, 100_000_000, "first:" + user),
                new Auditing(database.dataSource(), log, notary),
                members(clock),
                Optional.empty(),
                clock,
                new NodeFacts("0.1.0", "127.0.0.1:4160", "market"),
                openId));
  }

  private NodeCredentials node(InstantSource clock) {
    return new NodeCredentials(
        authority, "n1", List.of("localhost", "127.0.0.1", "console.example"), clock);
  }

  /** That of its pool. */
  Authority authority() {
    return authority;
  }

  private Members members(InstantSource clock) {
    PoolRegistry registry = new SqlPoolRegistry(database.dataSource());
    JoinTokens joinTokens = new JoinTokens(database.dataSource(), clock);
    Revocations revocations = new Revocations(registry, System::nanoTime);
    return new Members(authority, registry, joinTokens, revocations, clock);
  }

  public static TestConsole start(Path folder) {
    return start(folder, 0);
  }

  public static TestConsole start(Path folder, int port) {
    return start(folder, port, false, Optional.empty());
  }

  /** On TLS, with a certificate of its pool. */
  static TestConsole startOnTls(Path folder) {
    return start(folder, 0, true, Optional.empty());
  }

  /** With an OpenID provider. */
  static TestConsole startWith(Path folder, OpenIdSettings provider) {
    return start(folder, 0, false, Optional.of(provider));
  }

  private static TestConsole start(
      Path folder, int port, boolean tls, Optional<OpenIdSettings> openId) {
    try {
      return new TestConsole(folder, port, tls, openId);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  public ConsoleServer server() {
    return server;
  }

  public MemoryBags bags() {
    return bags;
  }

  /** What somebody does who may write to the database. */
  public void tampers(String statement) throws java.sql.SQLException {
    try (var connection = database.dataSource().getConnection();
        var sql = connection.createStatement()) {
      sql.executeUpdate(statement);
    }
  }

  /** A connection to its database, as another node has one; the caller closes it. */
  java.sql.Connection connection() throws java.sql.SQLException {
    return database.dataSource().getConnection();
  }

  public MemoryMarket market() {
    return market;
  }

  /** The disk has lost what the blob was. */
  void damages(String digest) throws IOException {
    try (Stream<Path> files = Files.walk(blobFolder)) {
      Path file =
          files
              .filter(each -> each.getFileName().toString().equals(digest))
              .findAny()
              .orElseThrow();
      Files.writeString(file, "something else");
    }
  }

  public FileBlobStore blobs() {
    return blobs;
  }

  /** Signs everybody of that name out, as a change of password does. */
  public void signsOut(String user) {
    sessions.endAllOf(user);
  }

  /** A program of the user's, with an API token. */
  public Client program(String user) {
    return Client.withToken(server.address(), token(user));
  }

  /** A new API token of the user's. */
  public Secret token(String user) {
    return tokens.issue(user, Duration.ofHours(1));
  }

  /** As above, with a token that may do a part of what the user may. */
  public Client program(String user, TokenScope scope) {
    return Client.withToken(
        server.address(), tokens.issue(Actor.NODE, user, scope, "", Duration.ofHours(1)));
  }

  /** The users as another node has them that shares the database. */
  public Users users() {
    return users;
  }

  /** Somebody without anything. */
  public Client stranger() {
    return Client.anonymous(server.address());
  }

  /** A browser in which the user has signed in through the form. */
  public Client browser(String user) {
    return Client.signedIn(server.address(), user, PASSWORD);
  }

  /** Waits until what was uploaded is gone: it goes after the answer. */
  public void keepsNoUpload() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(folder.resolve("uploads")).isEmptyDirectory());
  }

  @Override
  public void close() {
    server.close();
    notary.close();
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("Vert.x did not close", e);
    } finally {
      database.close();
    }
  }
}

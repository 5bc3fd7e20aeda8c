package io.gleaner.node;

import io.gleaner.api.rest.ConsoleTrust;
import io.gleaner.api.rest.LocalNode;
import io.gleaner.audit.Notary;
import io.gleaner.audit.SecurityLog;
import io.gleaner.authority.AuthorityKeys;
import io.gleaner.authority.FolderAuthorityKeys;
import io.gleaner.authority.Passphrases;
import io.gleaner.authority.SqlAuthorityKeys;
import io.gleaner.authority.SqlPoolRegistry;
import io.gleaner.bag.BagBlobs;
import io.gleaner.bag.BagSettings;
import io.gleaner.bag.Bags;
import io.gleaner.bag.SpaceSigners;
import io.gleaner.bag.SqlBags;
import io.gleaner.blob.BlobSweeper;
import io.gleaner.blob.KeptBlobs;
import io.gleaner.blob.UserBlobs;
import io.gleaner.enrolment.Members;
import io.gleaner.gateway.GatewayServer;
import io.gleaner.gateway.GatewaySettings;
import io.gleaner.http.ConsoleSettings;
import io.gleaner.identity.ApiTokens;
import io.gleaner.identity.Role;
import io.gleaner.ledger.Invariants;
import io.gleaner.ledger.Ledger;
import io.gleaner.ledger.LedgerSettings;
import io.gleaner.ledger.SqlLedger;
import io.gleaner.maker.MakerSettings;
import io.gleaner.maker.MarketMaker;
import io.gleaner.maker.MarketView;
import io.gleaner.mechanism.CallTerms;
import io.gleaner.notice.NoticeSettings;
import io.gleaner.pages.ConsoleParts;
import io.gleaner.pages.ConsoleServer;
import io.gleaner.rest.Auditing;
import io.gleaner.rest.NodeFacts;
import io.gleaner.secrets.Secret;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.storage.Database;
import io.gleaner.storage.Schema;
import io.gleaner.storage.StorageSettings;
import io.gleaner.tls.NamedAddress;
import io.gleaner.verification.DeviceSignatures;
import io.gleaner.verification.Refusals;
import io.gleaner.verification.Verifier;
import io.gleaner.verification.VerifierSettings;
import io.gleaner.volunteer.BrowserSockets;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A market node: its parts in the order in which they start; they stop in the opposite order. Safe
 * for all threads once started.
 */
public final class Node implements AutoCloseable {
  /** The user that a new node has. */
  public static final String OPERATOR = Access.OPERATOR;

  private static final Logger LOG = LoggerFactory.getLogger(Node.class);
  private static final String MARKET_SPACE = "market";
  private static final long CLOSE_MILLIS = 5_000;
  private static final Duration CHECKPOINTS = Duration.ofMinutes(5);

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final NodeSettings settings;
  private final Consumer<String> says;
  private Database database;
  private Access access;
  private NodePool pool;
  private KeptBlobs blobs;
  private HazelcastSpace engine;
  private Ledger ledger;
  private SpaceSigners signers;
  private SqlBags bags;
  private MarketMaker maker;
  private NodeFile addresses;

  private Node(NodeSettings settings, Consumer<String> says) {
    this.settings = settings;
    this.says = says;
  }

  /**
   * Starts a node.
   *
   * @param says hears sentences for the person who starts it
   */
  public static Node start(NodeSettings settings, Consumer<String> says) {
    Node node = new Node(settings, says);
    try {
      node.start();
      return node;
    } catch (IOException e) {
      node.close();
      throw new UncheckedIOException(
          "the node cannot use " + settings.home().folder() + ": " + e.getMessage(), e);
    } catch (RuntimeException e) {
      node.close();
      throw e;
    }
  }

  private void start() throws IOException {
    Home home = settings.home();
    InstantSource clock = InstantSource.system();
    NodeSettings.Listening listening = settings.listening();
    NamedAddress consoleHost = NamedAddress.of("console", listening.consoleHost());
    ConsoleCertificate.requireUsable(listening.consoleProof(), clock);
    home.create();
    keep(NodeLog.into(home.log()));

    database = keep(database(home));
    access = Access.open(home, database.dataSource(), clock);
    pool = keep(NodePool.open(poolParts(home), passphrase(home), clock));
    Optional<ConsoleCertificate> consoleCertificate = ConsoleCertificate.of(settings, pool, clock);
    consoleCertificate.ifPresent(certificate -> pool.onLook(certificate::look));
    blobs = keep(KeptBlobs.open(database, home.blobs(), settings.limits().blobs(), clock));
    ledger = new SqlLedger(database.dataSource(), clock, LedgerSettings.defaults());
    newUser(OPERATOR, Set.of());
    Notary notary =
        keep(
            Notary.start(
                database.dataSource(),
                List.of(SqlLedger.CHAIN, SecurityLog.CHAIN),
                home.auditKey(),
                home.checkpoints(),
                clock,
                CHECKPOINTS));

    engine = keep(space(home));
    TupleSpace space = keep(SpaceClient.open(engine, MARKET_SPACE, "node"));
    signers = SpaceSigners.open(database.dataSource(), space, home.signer(), clock);
    bags =
        keep(
            SqlBags.start(
                database.dataSource(),
                space,
                blobs,
                ledger,
                signers,
                BagSettings.standard(
                    NoticeSettings.standard(Optional.empty(), settings.limits().webhooks())),
                clock));
    maker =
        keep(MarketMaker.start(space, bags, ledger, database.dataSource(), makerSettings(), clock));
    Eviction eviction = new Eviction(space);
    Verifier verifier =
        keep(
            Verifier.start(
                new Verifier.Parts(
                    space,
                    bags,
                    ledger,
                    blobs.all(),
                    contractId ->
                        maker
                            .contracts()
                            .find(contractId)
                            .filter(
                                terms -> !pool.isRevokedDevice(terms.owner(), terms.launcherId())),
                    new DeviceSignatures(new SqlPoolRegistry(database.dataSource())),
                    new Refusals(System::nanoTime, device -> suspend(device, eviction)),
                    database.dataSource(),
                    clock,
                    maker::epoch),
                VerifierSettings.defaults()));
    pool.onRevokedDevice(
        device -> {
          eviction.of(device);
          verifier.setAside(device);
        });
    // Those who were revoked while this node was down.
    verifier.setAsideAll(pool::isRevokedDevice);

    keep(
        BlobSweeper.start(
            blobs,
            List.of(engine.blobs(), new BagBlobs(database.dataSource())),
            settings.limits().blobSweep()));

    Vertx vertx = Vertx.vertx();
    keep(() -> end(vertx));
    NamedAddress gatewayHost = NamedAddress.of("gateway", listening.gatewayHost());
    int gatewayPort =
        FreePort.prefer("gateway", gatewayHost.address(), listening.gatewayPort(), says);
    GatewayServer gateway =
        keep(
            GatewayServer.start(
                vertx,
                GatewaySettings.onPort(gatewayPort)
                    .onHost(gatewayHost.listens())
                    .with(settings.limits().rates()),
                engine,
                blobs,
                pool.entrance()));
    String gatewayAddress = gatewayHost.reachedAt() + ":" + gateway.port();
    int consolePort =
        FreePort.prefer("console", consoleHost.address(), listening.consolePort(), says);
    ConsoleServer console =
        keep(
            ConsoleServer.start(
                vertx,
                ConsoleSettings.standard(
                    consoleHost.listens(),
                    consolePort,
                    consoleCertificate.map(ConsoleCertificate::tls),
                    home.uploads(),
                    settings.limits().rates().user()),
                new ConsoleParts(
                    bags,
                    signers,
                    ledger,
                    maker.view(),
                    blobs,
                    access.users(),
                    access.sessions(),
                    access.apiTokens(),
                    this::welcome,
                    new Auditing(
                        database.dataSource(),
                        new SecurityLog(database.dataSource(), clock),
                        notary),
                    pool.members(),
                    Optional.of(new BrowserSockets.Entry(pool.entrance().enrolment(), gateway)),
                    clock,
                    new NodeFacts(
                        ProductVersion.text(), gatewayAddress, settings.market().economy().text()),
                    settings.openId())));
    addresses =
        new NodeFile(gatewayAddress, console.address().toString(), ProcessHandle.current().pid());
    addresses.write(home);
    keep(() -> addresses.remove(home));
    LOG.info("node is up: gateway {}, console {}", gatewayAddress, console.address());
  }

  /** Its results were refused again and again: its tasks go elsewhere. */
  private void suspend(String device, Eviction eviction) {
    maker.suspend(device);
    try {
      eviction.of(device);
    } catch (IllegalStateException e) {
      LOG.warn("device {} is suspended but still has contracts", device, e);
    }
  }

  /** Adds the user with a generated password unless there is one, and grants the first credits. */
  public void newUser(String name, Set<Role> roles) {
    if (access.users().find(name).isEmpty()) {
      access.users().create(name, roles, Secret.random());
    }
    welcome(name);
  }

  /** Grants the first credits, once. */
  private void welcome(String name) {
    ledger.grant(name, settings.market().firstGrantMicros(), "first:" + name);
  }

  /**
   * Waits until the space of this node goes on elsewhere: it was started at another place with the
   * same database.
   */
  public void awaitSpaceEnded() throws InterruptedException {
    engine.member().awaitEnd();
  }

  public NodeSettings settings() {
    return settings;
  }

  public NodeFile addresses() {
    return addresses;
  }

  /** The file with the operator's first password. */
  public Optional<Path> firstPassword() {
    return Optional.of(settings.home().firstPassword()).filter(Files::exists);
  }

  public Bags bags() {
    return bags;
  }

  public UserBlobs blobs() {
    return blobs;
  }

  public Ledger ledger() {
    return ledger;
  }

  /** What breaks the rules of the ledger; empty if all is well. */
  public List<Invariants.Violation> ledgerProblems() {
    return Invariants.check(database.dataSource());
  }

  public MarketView market() {
    return maker.view();
  }

  /** Those who may connect to the gateway. */
  public Members members() {
    return pool.members();
  }

  /** The fingerprint of the pool's authority, 64 hexadecimal digits. */
  public String fingerprint() {
    return pool.fingerprint();
  }

  /** Whom clients of its console are to believe. */
  public ConsoleTrust consoleTrust() {
    return LocalNode.in(settings.home().folder())
        .map(LocalNode::trust)
        .orElseGet(ConsoleTrust::ofPlatform);
  }

  public ApiTokens apiTokens() {
    return access.apiTokens();
  }

  @Override
  public synchronized void close() {
    while (!running.isEmpty()) {
      AutoCloseable part = running.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("closing {} failed", part.getClass().getSimpleName(), e);
      }
    }
  }

  private Database database(Home home) {
    return settings
        .keeping()
        .server()
        .map(server -> Database.connect(server, Schema.NODE))
        .orElseGet(() -> Database.open(StorageSettings.in(home.database())));
  }

  private NodePool.Parts poolParts(Home home) {
    DataSource data = database.dataSource();
    AuthorityKeys keys =
        settings.keeping().server().isPresent()
            ? new SqlAuthorityKeys(data)
            : new FolderAuthorityKeys(home.folder());
    return new NodePool.Parts(home, data, keys, List.of(settings.listening().gatewayHost()));
  }

  private Secret passphrase(Home home) {
    NodeSettings.PassphraseSource source = settings.passphrase();
    Passphrases passphrases = Passphrases.ofProcess(home.folder());
    if (source.file().isPresent()) {
      return passphrases.ofFile(source.file().get());
    }
    boolean isNew = new SqlPoolRegistry(database.dataSource()).authorities().isEmpty();
    return source.asked() ? passphrases.ofPrompt(isNew) : passphrases.ofSurroundings(says);
  }

  private HazelcastSpace space(Home home) {
    SpaceSettings defaults = SpaceSettings.defaults().with(settings.limits().ofSpace());
    if (settings.keeping().spaceInMemory()) {
      return HazelcastSpace.start(defaults);
    }
    return settings
        .keeping()
        .server()
        .map(server -> HazelcastSpace.startDurable(defaults, server))
        .orElseGet(() -> HazelcastSpace.startDurable(defaults, StorageSettings.in(home.space())));
  }

  private MakerSettings makerSettings() {
    String holder = "node-" + ProcessHandle.current().pid();
    NodeSettings.Market market = settings.market();
    CallTerms terms =
        new CallTerms(
            market.thinMarket(), CallTerms.defaults().thinOwners(), market.postedMicrosPerUnit());
    return MakerSettings.defaults(holder).with(market.economy(), terms, market.quantum());
  }

  private synchronized <T extends AutoCloseable> T keep(T part) {
    running.push(part);
    return part;
  }

  private static void end(Vertx vertx) throws Exception {
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
  }
}

package io.gleaner.node;

import io.gleaner.authority.Authority;
import io.gleaner.authority.AuthorityKeys;
import io.gleaner.authority.AuthoritySettings;
import io.gleaner.authority.Certificates;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRegistry;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocation;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.SqlPoolRegistry;
import io.gleaner.enrolment.Enrolment;
import io.gleaner.enrolment.Invitation;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.enrolment.Members;
import io.gleaner.gateway.Entrance;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.tls.MemberFile;
import io.gleaner.tls.MemberFile.Membership;
import io.gleaner.tls.NodeCredentials;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool as its node runs it: the authority, who was revoked, the node's own certificate, and the
 * two members of this machine's user that need no operator, a launcher and programs. Safe for all
 * threads.
 */
final class NodePool implements AutoCloseable {
  /** The name of the pool in certificates. */
  static final String NAME = "gleaner";

  private static final Logger LOG = LoggerFactory.getLogger(NodePool.class);
  private static final Duration FIRST_INVITATION = Duration.ofDays(1);
  private static final long CLOSE_SECONDS = 5;

  private final Home home;
  private final InstantSource clock;
  private final PoolRegistry registry;
  private final Authority authority;
  private final JoinTokens tokens;
  private final Revocations revocations;
  private final NodeCredentials credentials;
  private final Enrolment enrolment;
  private final Members members;
  private final List<Runnable> looks = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService polls =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "revocations");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * What it is made of.
   *
   * @param keys where the authority's encrypted keys lie
   * @param hosts at which the node is reached
   */
  record Parts(Home home, DataSource database, AuthorityKeys keys, List<String> hosts) {}

  private NodePool(Parts parts, Secret passphrase, InstantSource clock) throws IOException {
    this.home = parts.home();
    this.clock = clock;
    this.registry = new SqlPoolRegistry(parts.database());
    this.authority =
        Authority.open(AuthoritySettings.of(NAME), registry, parts.keys(), passphrase, clock);
    this.tokens = new JoinTokens(parts.database(), clock);
    this.revocations = new Revocations(registry, System::nanoTime);
    this.credentials = new NodeCredentials(authority, nodeId(), parts.hosts(), clock);
    this.enrolment = new Enrolment(authority, tokens);
    this.members = new Members(authority, registry, tokens, revocations, clock);
  }

  /** Opens the pool's authority, or founds it, and begins to poll. */
  static NodePool open(Parts parts, Secret passphrase, InstantSource clock) throws IOException {
    NodePool pool = new NodePool(parts, passphrase, clock);
    pool.revocations.onChange(changes -> pool.trustChanged());
    boolean known = pool.revocations.poll();
    LOG.info("revocations are {}", known ? "known" : "not known yet");
    pool.inviteOwnLauncher();
    pool.keepOwnProgram();
    pool.keepAuthorities();
    long millis = Revocations.POLL.toMillis();
    var unused =
        pool.polls.scheduleWithFixedDelay(pool::look, millis, millis, TimeUnit.MILLISECONDS);
    return pool;
  }

  /** How the gateway lets members in. */
  Entrance.ByCertificate entrance() {
    return new Entrance.ByCertificate(
        PoolKeys.of(credentials),
        PoolTrust.ofNode(authority::trust, revocations, clock),
        revocations,
        enrolment,
        clock);
  }

  /** Another certificate of this node, for people who reach it under these names. */
  NodeCredentials credentials(Collection<String> names) throws IOException {
    return new NodeCredentials(authority, nodeId(), names, clock);
  }

  /** Does it whenever certificates are looked after, every few seconds, off all other threads. */
  void onLook(Runnable look) {
    looks.add(look);
  }

  /** The fingerprints of the authorities that are trusted, the issuing one first. */
  List<Fingerprint> fingerprints() {
    return authority.trust().authorities().stream().map(Fingerprint::of).toList();
  }

  Members members() {
    return members;
  }

  /** The fingerprint of the authority that issues. */
  String fingerprint() {
    return authority.fingerprint().hex();
  }

  /** Calls the listener with the name of each device that was revoked, until it has not thrown. */
  void onRevokedDevice(Consumer<String> listener) {
    revocations.onChange(
        changes ->
            changes.revocations().stream()
                .filter(each -> each.kind() == Revocation.Kind.IDENTITY)
                .flatMap(each -> PoolIdentity.parse(each.subject()).stream())
                .filter(identity -> identity.role().lends())
                .forEach(identity -> listener.accept(identity.id())));
  }

  /** Whether this node knows that the device was revoked. */
  boolean isRevokedDevice(String owner, String name) {
    return Arrays.stream(PoolRole.values())
        .filter(PoolRole::lends)
        .map(role -> new PoolIdentity(NAME, role, owner, name).uri())
        .anyMatch(uri -> revocations.check("", uri) instanceof Revocations.Verdict.Revoked);
  }

  private void trustChanged() {
    authority.refresh();
    credentials.renewIfDue();
  }

  private void look() {
    try {
      if (revocations.poll()) {
        credentials.renewIfDue();
        keepOwnProgram();
        keepAuthorities();
      }
      looks.forEach(Runnable::run);
    } catch (IOException | RuntimeException e) {
      LOG.error("the node's certificates could not be looked after; it is tried again", e);
    }
  }

  private String nodeId() throws IOException {
    Path file = home.nodeId();
    if (!Files.exists(file)) {
      Files.writeString(file, "node-" + PoolIdentity.randomId());
    }
    return Files.readString(file).strip();
  }

  /** Leaves a token for one launcher of this machine's own user, in place of an earlier one. */
  private void inviteOwnLauncher() throws IOException {
    Path file = home.joinToken();
    if (Files.exists(file)) {
      tokens.revoke(SecretFile.read(file));
      Files.delete(file);
    }
    Invitation first =
        new Invitation(PoolRole.DEVICE, Node.OPERATOR, Optional.empty(), FIRST_INVITATION);
    SecretFile.write(file, members.invite(first).token().text());
  }

  /** Keeps a certificate for programs of this machine's own user. */
  private void keepOwnProgram() throws IOException {
    Files.createDirectories(home.application());
    MemberFile file = new MemberFile(home.application(), clock);
    if (file.read().filter(this::lasts).isPresent()) {
      return;
    }
    PoolIdentity identity =
        new PoolIdentity(
            NAME, PoolRole.APPLICATION, Node.OPERATOR, "local-" + PoolIdentity.randomId());
    IssuedCertificate issued =
        authority.issue(identity, new SigningRequest(file.pendingKey().getPublic()));
    Membership unused = file.joined(enrolment.answer(issued), authority.trust());
  }

  /** Leaves the authorities' certificates for those who want to know this pool. */
  private void keepAuthorities() throws IOException {
    String pem = Certificates.pem(authority.trust().authorities());
    if (!Files.exists(home.authorities()) || !Files.readString(home.authorities()).equals(pem)) {
      Files.writeString(home.authorities(), pem);
    }
  }

  private boolean lasts(Membership membership) {
    return membership.trust().authorities().equals(authority.trust().authorities())
        && clock.instant().isBefore(Authority.renewableFrom(membership.credentials().certificate()))
        && !(revocations.check("", membership.identity().uri())
            instanceof Revocations.Verdict.Revoked);
  }

  @Override
  public void close() throws InterruptedException {
    polls.shutdown();
    if (!polls.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn("the last look at the revocations did not end in time");
    }
  }
}

package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.enrolment.JoinToken;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.tls.MemberFile;
import io.gleaner.tls.NodeCredentials;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.TaskEntry;
import io.vertx.core.Vertx;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients with certificates, and others, at a gateway on TLS 1.3. */
@Timeout(120)
class CertificateTest {
  private static final long LONG = 3_600_000;
  private static final ConnectSettings PATIENT =
      new ConnectSettings(Duration.ofSeconds(60), Duration.ofSeconds(60));

  @TempDir static Path folder;
  private static final AtomicLong NANOS = new AtomicLong();
  private static MemberPool pool;
  private static Revocations revocations;
  private static NodeCredentials node;
  private static Vertx vertx;
  private static HazelcastSpace engine;
  private static GatewayServer server;

  @BeforeAll
  static void aGatewayOnTls() throws Exception {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    pool = new MemberPool();
    revocations = new Revocations(pool.registry, NANOS::get);
    revocations.poll();
    node = new NodeCredentials(pool.authority, "n1", List.of("127.0.0.1"), InstantSource.system());
    vertx = Vertx.vertx();
    engine = HazelcastSpace.start(SpaceSettings.defaults());
    server =
        GatewayServer.start(
            vertx,
            GatewaySettings.onPort(0),
            engine,
            new FileBlobStore(folder, 1 << 20),
            pool.entrance(node, revocations));
  }

  @AfterAll
  static void closes() throws Exception {
    server.close();
    engine.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Test
  void whoAClientIsIsWhatItsCertificateSays() throws Exception {
    try (GatewayConnection ada = connect(pool.member(PoolRole.APPLICATION, "ada", "a1"));
        TupleSpace notes = ada.space("notes");
        GatewayConnection device = connect(pool.member(PoolRole.DEVICE, "bob", "d1"));
        TupleSpace market = device.space("market")) {
      assertThat(ada.owner()).isEqualTo("ada");
      assertThat(ada.role()).isEqualTo("application");
      assertThat(device.role()).isEqualTo("device");
      TaskEntry task = TaskEntry.ofJob("b-1");
      notes.write(task, null, Lease.FOREVER);
      assertThat(notes.take(task, null, JavaSpace.NO_WAIT)).isNotNull();

      OfferEntry offer = OfferEntry.ofLauncher("d1");
      offer.owner = "bob";
      market.write(offer, null, LONG).cancel();
      offer.launcherId = "d2";
      assertThatThrownBy(() -> market.write(offer, null, LONG))
          .isInstanceOf(SecurityException.class);
    }
  }

  @Test
  @Tag("S2")
  void whoIsRevokedIsCutOffAndWhatWasBegunIsUndone() throws Exception {
    PoolIdentity identity = pool.identity(PoolRole.APPLICATION, "eve", "e1");
    SSLContext member = pool.context(pool.credentials(identity));
    GatewayConnection eve = connect(member);
    TupleSpace hers = eve.space("notes");
    hers.write(TaskEntry.ofJob("kept"), null, Lease.FOREVER);
    Transaction.Created begun = hers.begin(Duration.ofHours(1));
    assertThat(hers.take(TaskEntry.ofJob("kept"), begun.transaction, LONG)).isNotNull();
    CompletableFuture<Entry> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return hers.take(TaskEntry.ofJob("awaited"), null, LONG);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    await().until(() -> server.waitingOperations() > 0);

    pool.authority.revoke(identity, "stolen from a bench");
    revocations.poll();

    GatewayException why = eve.lost().get(60, TimeUnit.SECONDS);
    assertThat(why.code()).isEqualTo(GatewayException.Code.TOKEN_REFUSED);
    assertThat(why).hasMessageContaining("was revoked: stolen from a bench");
    assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS)).isNotNull();
    try (TupleSpace embedded = SpaceClient.open(engine, "eve/notes", "test")) {
      assertThat(embedded.take(TaskEntry.ofJob("kept"), null, LONG)).isNotNull();
    }
    assertThatThrownBy(() -> connect(member))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("may not accept this certificate");
  }

  @Test
  @Tag("S2")
  void nobodyActsWhileRevocationsCannotBeReadAndGoesOnAfterwards() throws Exception {
    try (GatewayConnection ada = connect(pool.member(PoolRole.APPLICATION, "ada", "a2"));
        TupleSpace notes = ada.space("later")) {
      NANOS.addAndGet(Revocations.PATIENCE.toNanos());
      try {
        await().until(() -> !ada.isUp());
        assertThat(ada.lost()).isNotDone();
      } finally {
        revocations.poll();
      }
      notes.write(TaskEntry.ofJob("after"), null, LONG);
      assertThat(notes.take(TaskEntry.ofJob("after"), null, LONG)).isNotNull();
    }
  }

  @Test
  void aKeyBecomesAMemberByATokenAndLaterAndSecondUsesAreRefused(@TempDir Path machine)
      throws Exception {
    JoinToken token = invite(Duration.ofHours(1));
    PoolMember joined = join(machine.resolve("first"), token);
    assertThat(joined.identity())
        .isEqualTo(pool.identity(PoolRole.DEVICE, "bob", joined.identity().id()));
    PoolMember again =
        PoolMember.in(machine.resolve("first"), InstantSource.system()).orElseThrow();
    assertThat(again.isOfPoolOf(token)).isTrue();
    try (GatewayConnection device = connect(again.context())) {
      assertThat(device.owner()).isEqualTo("bob");
    }
    assertThatThrownBy(() -> join(machine.resolve("second"), token))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("another key has used this join token already")
        .hasMessageContaining(joined.identity().id());
    JoinToken brief = invite(Duration.ofMillis(1));
    await().until(() -> pool.tokens.sweep() >= 0 && pool.tokens.check(brief.secret()).isEmpty());
    assertThatThrownBy(() -> join(machine.resolve("third"), brief))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("join token");
    assertThat(PoolMember.in(machine.resolve("third"), InstantSource.system())).isEmpty();
  }

  @Test
  void aNodeOfAnotherPoolNeverHearsTheToken(@TempDir Path machine) throws Exception {
    MemberPool other = new MemberPool();
    JoinToken token =
        other.tokens.invite(
            PoolRole.DEVICE, "bob", Duration.ofHours(1), other.authority.fingerprint());
    assertThatThrownBy(() -> join(machine, token))
        .isInstanceOf(SecurityRefusal.class)
        .hasMessageContaining("does not belong to the pool of the join token");
    assertThat(other.tokens.check(token.secret())).isPresent();
  }

  @Test
  void aCertificateIsRenewedByItselfWhenItIsTime(@TempDir Path machine) throws Exception {
    PoolMember joined = join(machine, invite(Duration.ofHours(1)));
    List<GatewayAddress> gateway = List.of(new GatewayAddress("127.0.0.1", server.port()));
    assertThat(joined.renewIfDue(gateway)).isFalse();

    InstantSource later = InstantSource.offset(InstantSource.system(), Duration.ofDays(70));
    PoolMember aged = PoolMember.in(machine, later).orElseThrow();
    assertThatThrownBy(() -> aged.renewIfDue(gateway))
        .as("the node's own clock says that it is too early")
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("may be renewed from");
    pool.authority.rotate();
    node.renewIfDue();
    assertThat(aged.renewIfDue(gateway)).isTrue();
    PoolMember renewed = PoolMember.in(machine, InstantSource.system()).orElseThrow();
    assertThat(renewed.identity()).isEqualTo(joined.identity());
    try (GatewayConnection device = connect(renewed.context())) {
      assertThat(device.role()).isEqualTo("device");
    }
  }

  @Test
  void aRenewedCertificateIsShownAtOnceAndWhatWasBegunGoesOn(@TempDir Path machine)
      throws Exception {
    join(machine, invite(Duration.ofHours(1)));
    X509Certificate first =
        new MemberFile(machine, InstantSource.system())
            .read()
            .orElseThrow()
            .credentials()
            .certificate();
    List<GatewayAddress> gateway = List.of(new GatewayAddress("127.0.0.1", server.port()));
    InstantSource later = InstantSource.offset(InstantSource.system(), Duration.ofDays(70));
    PoolMember aged = PoolMember.in(machine, later).orElseThrow();
    pool.authority.rotate();
    node.renewIfDue();
    try (GatewayConnection device = GatewayConnection.connect(gateway, aged, PATIENT);
        TupleSpace market = device.space("market")) {
      OfferEntry offer = OfferEntry.ofLauncher(aged.identity().id());
      offer.owner = "bob";
      Lease written = market.write(offer, null, LONG);

      device.renew(aged, gateway);
      written.renew(LONG);
      pool.authority.revoke(first, "it was renewed");
      revocations.poll();

      written.cancel();
      assertThat(device.lost()).isNotDone();
    }
  }

  @Test
  @Tag("S2")
  void aNodeThatWasRevokedIsLeftAndNotBelievedAgain(@TempDir Path machine) throws Exception {
    join(machine, invite(Duration.ofHours(1)));
    PoolMember member = PoolMember.in(machine, InstantSource.system()).orElseThrow();
    NodeCredentials stolen =
        new NodeCredentials(pool.authority, "n2", List.of("127.0.0.1"), InstantSource.system());
    GatewayAddress good = new GatewayAddress("127.0.0.1", server.port());
    try (GatewayServer second =
        GatewayServer.start(
            vertx,
            GatewaySettings.onPort(0),
            engine,
            new FileBlobStore(folder, 1 << 20),
            pool.entrance(stolen, revocations))) {
      GatewayAddress bad = new GatewayAddress("127.0.0.1", second.port());
      try (GatewayConnection device =
              GatewayConnection.connect(List.of(bad, good), member, PATIENT);
          TupleSpace market = device.space("market")) {
        int before = server.clients();
        pool.authority.revoke(PoolIdentity.node("home", "n2"), "its disk was sold");
        revocations.poll();
        await().until(() -> server.clients() > before);
        OfferEntry offer = OfferEntry.ofLauncher(member.identity().id());
        offer.owner = "bob";
        market.write(offer, null, LONG).cancel();
      }
      PoolMember restarted = PoolMember.in(machine, InstantSource.system()).orElseThrow();
      ConnectSettings brief = new ConnectSettings(Duration.ofSeconds(20), Duration.ofSeconds(1));
      assertThatThrownBy(() -> GatewayConnection.connect(List.of(bad), restarted, brief))
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("n2")
          .hasMessageContaining("was revoked");
      GatewayConnection.connect(List.of(bad, good), restarted, PATIENT).close();
    }
  }

  @Test
  @Tag("S2")
  void whoIsRevokedRenewsNothingAlsoWhereItIsNotKnownYet(@TempDir Path machine) throws Exception {
    PoolMember joined = join(machine, invite(Duration.ofHours(1)));
    pool.authority.revoke(joined.identity(), "left in a taxi");

    InstantSource later = InstantSource.offset(InstantSource.system(), Duration.ofDays(70));
    PoolMember aged = PoolMember.in(machine, later).orElseThrow();
    List<GatewayAddress> gateway = List.of(new GatewayAddress("127.0.0.1", server.port()));
    assertThatThrownBy(() -> aged.renewIfDue(gateway))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("was revoked")
        .hasMessageContaining("left in a taxi");
  }

  private static JoinToken invite(Duration life) {
    return pool.tokens.invite(PoolRole.DEVICE, "bob", life, pool.authority.fingerprint());
  }

  private static PoolMember join(Path folder, JoinToken token) {
    return PoolMember.join(
        folder,
        List.of(new GatewayAddress("127.0.0.1", server.port())),
        token,
        InstantSource.system());
  }

  @Test
  void strangersHearNothing() throws Exception {
    MemberPool other = new MemberPool();
    SSLContext stranger =
        Tls.context(
            PoolKeys.of(() -> other.credentials(other.identity(PoolRole.DEVICE, "bob", "d1"))),
            PoolTrust.ofMember(pool.authority::trust, InstantSource.system()));
    assertThatThrownBy(() -> connect(stranger))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("may not accept this certificate");
    assertThatThrownBy(() -> connect(other.member(PoolRole.DEVICE, "bob", "d1")))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("not a node of this pool")
        .hasMessageContaining("was not issued by an authority");
    SSLContext nobody =
        Tls.context(
            PoolKeys.none(), PoolTrust.ofMember(pool.authority::trust, InstantSource.system()));
    assertThatThrownBy(() -> connect(nobody)).isInstanceOf(GatewayException.class);
    for (PoolRole role : List.of(PoolRole.MACHINE, PoolRole.NODE)) {
      SSLContext member =
          role == PoolRole.NODE
              ? pool.context(
                  new NodeCredentials(
                          pool.authority, "n2", List.of("127.0.0.1"), InstantSource.system())
                      .get())
              : pool.member(role, "ada", "m1");
      assertThatThrownBy(
              () -> {
                try (GatewayConnection connection = connect(member);
                    TupleSpace space = connection.space("market")) {
                  space.read(new TaskEntry(), null, 0);
                }
              })
          .as("a %s has nothing to do here", role)
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("not that of a device or an application");
    }
  }

  @Test
  @Tag("F9")
  void whoBeginsNoHandshakeKeepsNobodyAway() throws Exception {
    GatewaySettings few = TestGateway.patient(4, 8);
    List<Socket> silent = new ArrayList<>();
    try (GatewayServer small =
        GatewayServer.start(
            vertx,
            few,
            engine,
            new FileBlobStore(folder, 1 << 20),
            pool.entrance(node, revocations))) {
      for (int i = 0; i < few.strangers() + 2; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), small.port()));
      }
      for (Socket eldest : silent.subList(0, 2)) {
        eldest.setSoTimeout(60_000);
        assertThat(eldest.getInputStream().read()).as("closed").isEqualTo(-1);
      }
      try (GatewayConnection ada =
          GatewayConnection.connect(
              List.of(new GatewayAddress("127.0.0.1", small.port())),
              pool.member(PoolRole.APPLICATION, "ada", "a4"),
              PATIENT)) {
        assertThat(ada.owner()).isEqualTo("ada");
      }
    } finally {
      for (Socket each : silent) {
        each.close();
      }
    }
  }

  @Test
  void clearTextAndOldTlsGetNoWord() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(new byte[] {0, 0, 0, 2, 10, 0, 1, 2, 3, 4, 5, 6});
      InputStream in = socket.getInputStream();
      byte[] answer = in.readNBytes(64);
      assertThat(answer.length).as("a TLS alert at most").isLessThanOrEqualTo(7);
    }
    SSLContext member = pool.member(PoolRole.APPLICATION, "ada", "a3");
    try (SSLSocket socket =
        (SSLSocket)
            member
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      SSLParameters old = new SSLParameters();
      old.setProtocols(new String[] {"TLSv1.2"});
      socket.setSSLParameters(old);
      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLHandshakeException.class);
    }
  }

  private static GatewayConnection connect(SSLContext member) {
    return GatewayConnection.connect(
        List.of(new GatewayAddress("127.0.0.1", server.port())), member, PATIENT);
  }
}

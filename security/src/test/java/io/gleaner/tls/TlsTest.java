package io.gleaner.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.TestPool;
import io.gleaner.authority.Trust;
import io.gleaner.enrolment.JoinToken;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.tls.Tls.ClientCertificate;
import java.io.IOException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handshakes over real sockets. */
@Timeout(120)
class TlsTest {
  private final AtomicLong nanos = new AtomicLong();
  private TestPool pool;
  private Revocations revocations;
  private NodeCredentials node;
  private Credentials device;
  private Trust pinned;
  private EchoServer server;

  @BeforeEach
  void aNodeAndADevice() throws Exception {
    pool = TestPool.fresh();
    revocations = new Revocations(pool.registry, nanos::get);
    revocations.poll();
    node = new NodeCredentials(pool.authority, "n1", List.of("127.0.0.1"), pool.around);
    device = member(pool, "d1");
    pinned = pool.authority.trust();
    serve(node(), ClientCertificate.NEEDED);
  }

  @AfterEach
  void serverEnds() throws Exception {
    server.close();
  }

  @Test
  void aMemberAndANodeKnowEachOther() throws Exception {
    try (SSLSocket socket = connect(client(device, pinned))) {
      assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
      assertThat(socket.getSession().getCipherSuite()).isIn(Tls.CIPHER_SUITES);
      assertThat(
              pinned
                  .checkNode(
                      Stream.of(socket.getSession().getPeerCertificates())
                          .map(X509Certificate.class::cast)
                          .toList(),
                      pool.around.instant())
                  .identity()
                  .uri())
          .isEqualTo("gleaner://home/node/-/n1");
    }
  }

  @Test
  void whoShowsNothingIsRefused() {
    assertClosed(Tls.context(PoolKeys.none(), PoolTrust.ofMember(() -> pinned, pool.around)));
  }

  @Test
  void aClientOfAnotherAuthorityIsRefused() throws Exception {
    assertClosed(client(member(TestPool.fresh(), "d1"), pinned));
    await()
        .untilAsserted(
            () ->
                assertThat(server.refused)
                    .anyMatch(why -> why.contains("not issued by an authority")));
  }

  @Test
  void aServerOfAnotherAuthorityIsRefused() throws Exception {
    TestPool other = TestPool.fresh();
    assertRefused(
        client(device, other.authority.trust()), "was not issued by an authority of the pool");
  }

  @Test
  void aDeviceIsNeverAServer() throws Exception {
    server.close();
    serve(
        Tls.context(
            PoolKeys.of(() -> device),
            PoolTrust.ofNode(pool.authority::trust, revocations, pool.around)),
        ClientCertificate.NEEDED);
    assertRefused(client(device, pinned), "is not a node of the pool, so it must not serve");
  }

  @Test
  void certificatesOutsideTheirTimeAreRefused() {
    SSLContext context = client(device, pinned);
    pool.passes(Duration.ofDays(91));
    assertRefused(context, "ended at");
    node.renewIfDue();
    assertClosed(context);

    pool.passes(Duration.ofDays(-92));
    assertRefused(context, "check the clocks");
  }

  @Test
  @Tag("S2")
  void whoWasRevokedIsRefusedFromTheNextPollOn() throws Exception {
    SSLContext context = client(device, pinned);
    connect(context).close();
    pool.authority.revoke(TestPool.device("d1"), "stolen");
    revocations.poll();
    assertClosed(context);
    await().untilAsserted(() -> assertThat(server.refused).anyMatch(why -> why.contains("stolen")));

    nanos.addAndGet(Revocations.PATIENCE.toNanos());
    assertClosed(client(member(pool, "d2"), pinned));
    await()
        .untilAsserted(
            () -> assertThat(server.refused).anyMatch(why -> why.contains("could not read")));
  }

  @Test
  void olderVersionsAreRefused() {
    for (String version : List.of("TLSv1.2", "TLSv1.1")) {
      SSLParameters old = new SSLParameters();
      old.setProtocols(new String[] {version});
      assertThatThrownBy(
              () -> EchoServer.connect(server.port(), client(device, pinned), old).close())
          .isInstanceOf(IOException.class);
    }
    assertThat(server.served.get()).isZero();
  }

  @Test
  void aRenewedCertificateAndARotationNeedNoRestart() throws Exception {
    SSLContext context = client(device, pinned);
    X509Certificate first = node.get().certificate();
    connect(context).close();
    pool.passes(Duration.ofDays(61));
    node.renewIfDue();
    connect(context).close();
    assertThat(node.get().certificate()).isNotEqualTo(first);

    // Who pinned the old authority believes the new one by the old one's word.
    pool.authority.rotate();
    node.renewIfDue();
    assertThat(pinned.authorities()).hasSize(1);
    connect(context).close();
    pool.authority.retire(io.gleaner.authority.Fingerprint.of(pinned.authorities().get(0)), true);
    node.renewIfDue();
    assertClosed(context);
    await()
        .untilAsserted(
            () ->
                assertThat(server.refused)
                    .anyMatch(why -> why.contains("not issued by an authority")));
  }

  @Test
  void whoHasATokenMeetsItsPoolOnly() throws Exception {
    server.close();
    serve(node(), ClientCertificate.WANTED);
    JoinTokens tokens = new JoinTokens(pool.around.database(), pool.around);
    JoinToken token =
        tokens.invite(PoolRole.DEVICE, "ada", Duration.ofHours(1), pool.authority.fingerprint());
    JoinToken forged =
        tokens.invite(
            PoolRole.DEVICE, "ada", Duration.ofHours(1), TestPool.fresh().authority.fingerprint());

    SSLContext first = Tls.context(PoolKeys.none(), PoolTrust.ofToken(token, pool.around));
    try (SSLSocket socket = connect(first)) {
      List<X509Certificate> chain =
          Stream.of(socket.getSession().getPeerCertificates())
              .map(X509Certificate.class::cast)
              .toList();
      assertThat(PoolTrust.trustOf(token, chain, pool.around)).isEqualTo(pinned);
    }
    assertRefused(
        Tls.context(PoolKeys.none(), PoolTrust.ofToken(forged, pool.around)),
        "does not belong to the pool of the join token");

    pool.authority.rotate();
    node.renewIfDue();
    connect(first).close();
  }

  @Test
  void aStrangersServerThatSendsThePoolsAuthorityIsRefused() throws Exception {
    TestPool stranger = TestPool.fresh();
    KeyPair keys = P256.generate();
    IssuedCertificate forged = stranger.node(keys);
    server.close();
    Credentials shown =
        new Credentials(
            keys.getPrivate(),
            Stream.of(
                    List.of(forged.certificate()),
                    stranger.authority.trust().above(),
                    pinned.above())
                .flatMap(List::stream)
                .toList());
    serve(
        Tls.context(
            PoolKeys.of(() -> shown),
            PoolTrust.ofNode(stranger.authority::trust, revocations, pool.around)),
        ClientCertificate.WANTED);
    JoinToken token =
        new JoinTokens(pool.around.database(), pool.around)
            .invite(PoolRole.DEVICE, "ada", Duration.ofHours(1), pool.authority.fingerprint());
    assertRefused(
        Tls.context(PoolKeys.none(), PoolTrust.ofToken(token, pool.around)),
        "was not issued by an authority of the pool");
  }

  private SSLContext node() {
    return Tls.context(
        PoolKeys.of(node), PoolTrust.ofNode(pool.authority::trust, revocations, pool.around));
  }

  private SSLContext client(Credentials credentials, Trust trust) {
    return Tls.context(
        PoolKeys.of(() -> credentials), PoolTrust.ofMember(() -> trust, pool.around));
  }

  private static Credentials member(TestPool pool, String id) {
    KeyPair keys = P256.generate();
    return new Credentials(keys.getPrivate(), List.of(pool.device(id, keys).certificate()));
  }

  private void serve(SSLContext context, ClientCertificate certificate) throws IOException {
    server = new EchoServer(context, Tls.server(certificate));
  }

  private SSLSocket connect(SSLContext context) throws IOException {
    return EchoServer.connect(server.port(), context, Tls.client());
  }

  /** The client refuses the server. */
  private void assertRefused(SSLContext context, String why) {
    assertThatThrownBy(() -> connect(context).close())
        .isInstanceOf(SSLException.class)
        .hasMessageContaining(why);
  }

  /** The server refuses the client. */
  private void assertClosed(SSLContext context) {
    int before = server.served.get();
    assertThatThrownBy(() -> connect(context).close()).isInstanceOf(IOException.class);
    assertThat(server.served.get()).isEqualTo(before);
  }
}

package io.gleaner.gateway;

import io.gleaner.authority.Certificates;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.Revocations.Verdict;
import io.gleaner.enrolment.JoinGrant;
import io.vertx.core.net.NetSocket;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * A member of the pool at the other end of a connection, by the certificate of its handshake, or
 * whose key it has proven to have. Immutable.
 */
record Visitor(
    PoolIdentity identity,
    X509Certificate certificate,
    String serial,
    Instant ends,
    Revocations revocations,
    InstantSource clock) {

  /** Who that is; empty if the handshake showed no identity of a pool. */
  static Optional<Visitor> at(NetSocket socket, Entrance.ByCertificate entrance) {
    try {
      Certificate[] chain = socket.sslSession().getPeerCertificates();
      X509Certificate own = (X509Certificate) chain[0];
      return of(own, entrance);
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  /** Whose certificate that is; empty if it names no identity of a pool. */
  static Optional<Visitor> of(X509Certificate own, Entrance.ByCertificate entrance) {
    return PoolIdentity.of(own)
        .map(
            identity ->
                new Visitor(
                    identity,
                    own,
                    Certificates.serial(own),
                    own.getNotAfter().toInstant(),
                    entrance.revocations(),
                    entrance.clock()));
  }

  JoinGrant grant() {
    return new JoinGrant(identity.role(), identity.owner());
  }

  /** Whether its certificate has ended since the handshake. */
  boolean hasEnded() {
    return clock.instant().isAfter(ends);
  }

  /** Whether this is somebody for whom there is anything to do at a gateway. */
  boolean isClient() {
    return identity.role().lends() || identity.role() == PoolRole.APPLICATION;
  }

  /** Whether it may act now, by what was read last. */
  Verdict verdict() {
    return revocations.check(serial, identity.uri());
  }
}

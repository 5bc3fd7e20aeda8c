package io.gleaner.gateway;

import io.gleaner.authority.Revocations;
import io.gleaner.enrolment.Enrolment;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import java.time.InstantSource;

/** How clients show a gateway who they are. */
public sealed interface Entrance {

  /** By the secret of a join token, in clear text: on loopback only. */
  record ByToken(JoinTokens tokens) implements Entrance {}

  /**
   * By a certificate of the pool, over TLS 1.3 (RFC 8446). Who was revoked is cut off as soon as
   * that is known, and everybody while it cannot be known.
   *
   * @param keys what the gateway shows
   * @param trust whom it believes
   * @param revocations held against each frame; somebody else polls them
   * @param enrolment makes members of those who have a join token and no certificate, and renews
   * @param clock tells when a certificate has ended
   */
  record ByCertificate(
      PoolKeys keys,
      PoolTrust trust,
      Revocations revocations,
      Enrolment enrolment,
      InstantSource clock)
      implements Entrance {}
}

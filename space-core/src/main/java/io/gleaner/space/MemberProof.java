package io.gleaner.space;

import io.gleaner.authority.Revocations;
import io.gleaner.authority.Trust;
import io.gleaner.secrets.Secret;
import io.gleaner.tls.Credentials;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import java.time.InstantSource;
import java.util.function.Supplier;

/** How the members of a cluster show each other that they are. */
public sealed interface MemberProof {

  /**
   * By a secret that all members know and nobody else; both sides prove that they do, and it is
   * never sent. On loopback only.
   */
  record Shared(Secret secret) implements MemberProof {}

  /**
   * By certificates of nodes of one pool, by a handshake of TLS 1.3 in which both ends show theirs.
   *
   * @param revocations asked with each connection, and at each change for those that are there;
   *     somebody else polls them
   */
  record NodeCertificate(PoolKeys keys, PoolTrust trust, Revocations revocations)
      implements MemberProof {

    /** As a node of the pool: what it shows and whom it trusts at the time of each connection. */
    public static NodeCertificate of(
        Supplier<Credentials> shows,
        Supplier<Trust> trust,
        Revocations revocations,
        InstantSource clock) {
      return new NodeCertificate(
          PoolKeys.of(shows), PoolTrust.ofNodes(trust, revocations, clock), revocations);
    }
  }
}

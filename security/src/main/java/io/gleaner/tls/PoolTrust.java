package io.gleaner.tls;

import io.gleaner.authority.Certificates;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.Trust;
import io.gleaner.enrolment.JoinToken;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Believes members of one pool only. A server must be a node of the pool: the authority is private,
 * so what names a server is its role, and the host under which it was reached does not matter
 * (service identity in the sense of RFC 9525 is the URI of the pool). A handshake that fails says
 * why in the message of its exception. Safe for all threads.
 */
public final class PoolTrust extends X509ExtendedTrustManager {
  private static final String OTHER_POOL =
      "the node at this address does not belong to the pool of the join token: either the address"
          + " is wrong, or somebody pretends to be the pool";
  private static final String OTHER_KEYS =
      "neither its key nor its authority has the fingerprint that was expected: either the address"
          + " or the fingerprint is wrong, or somebody pretends to be it";

  /** Decides on the chain of the other end; throws what it refuses. */
  private interface Check {
    void of(List<X509Certificate> chain);
  }

  private final Check clients;
  private final Check servers;

  private PoolTrust(Check clients, Check servers) {
    this.clients = clients;
    this.servers = servers;
  }

  /**
   * As a node believes: clients of every role, servers of role node, nobody who was revoked.
   *
   * @param trust who is trusted at the time of each handshake
   */
  public static PoolTrust ofNode(
      Supplier<Trust> trust, Revocations revocations, InstantSource clock) {
    return new PoolTrust(
        chain -> revocations.require(trust.get().check(chain, clock.instant())),
        chain -> revocations.require(trust.get().checkNode(chain, clock.instant())));
  }

  /** As a node believes other nodes: both ends are of role node and nobody was revoked. */
  public static PoolTrust ofNodes(
      Supplier<Trust> trust, Revocations revocations, InstantSource clock) {
    Check nodes = chain -> revocations.require(trust.get().checkNode(chain, clock.instant()));
    return new PoolTrust(nodes, nodes);
  }

  /** Believes nobody: for a server that asks for no certificates. */
  public static PoolTrust ofNobody() {
    return new PoolTrust(PoolTrust::nobody, PoolTrust::nobody);
  }

  /** As a member believes that has joined: servers of role node by the authorities it pinned. */
  public static PoolTrust ofMember(Supplier<Trust> trust, InstantSource clock) {
    return ofMember(trust, node -> false, clock);
  }

  /**
   * As above.
   *
   * @param revoked which nodes it was told to believe no more
   */
  public static PoolTrust ofMember(
      Supplier<Trust> trust, Predicate<PoolIdentity> revoked, InstantSource clock) {
    return new PoolTrust(
        PoolTrust::nobody,
        chain -> {
          PoolIdentity node = trust.get().checkNode(chain, clock.instant()).identity();
          if (revoked.test(node)) {
            throw new SecurityRefusal(
                Code.REVOKED, node + " was revoked, as nodes of its pool told; use another one");
          }
        });
  }

  /**
   * As somebody believes who has a join token and nothing else: servers whose chain leads to the
   * authority that the token names. {@link #trustOf} then says whom to pin.
   */
  public static PoolTrust ofToken(JoinToken token, InstantSource clock) {
    return new PoolTrust(
        PoolTrust::nobody, chain -> pinned(token, chain).checkNode(chain, clock.instant()));
  }

  /**
   * As somebody believes who knows fingerprints: nodes of a pool whose authority has one of them,
   * and a server whose own key has one.
   */
  public static PoolTrust ofFingerprints(Collection<Fingerprint> known, InstantSource clock) {
    Set<Fingerprint> pins = Set.copyOf(known);
    return new PoolTrust(
        PoolTrust::nobody,
        chain -> {
          Instant now = clock.instant();
          if (chain.isEmpty() || !pins.contains(Fingerprint.of(chain.get(0)))) {
            Trust.Member unused = pinned(pins::contains, chain, OTHER_KEYS).checkNode(chain, now);
          } else {
            Certificates.requireTime(chain.get(0), now);
          }
        });
  }

  /**
   * The authorities that a node showed and that a token vouches for.
   *
   * @param chain as the handshake of {@link #ofToken} accepted it
   * @throws SecurityRefusal if none is of the token
   */
  public static Trust trustOf(JoinToken token, List<X509Certificate> chain, InstantSource clock) {
    Trust pinned = pinned(token, chain);
    pinned.checkNode(chain, clock.instant());
    return pinned;
  }

  private static Trust pinned(JoinToken token, List<X509Certificate> chain) {
    return pinned(token::isOf, chain, OTHER_POOL);
  }

  private static Trust pinned(
      Predicate<Fingerprint> known, List<X509Certificate> chain, String otherwise) {
    String pool =
        chain.isEmpty() ? "" : PoolIdentity.of(chain.get(0)).map(PoolIdentity::pool).orElse("");
    Optional<X509Certificate> authority =
        chain.stream()
            .limit(Certificates.MOST)
            .filter(each -> each.getBasicConstraints() >= 0)
            .filter(each -> known.test(Fingerprint.of(each)) && Certificates.isOwn(each))
            .findFirst();
    if (pool.isEmpty() || authority.isEmpty()) {
      throw new SecurityRefusal(Code.NOT_TRUSTED, otherwise);
    }
    return new Trust(pool, List.of(authority.get()), List.of());
  }

  private static void nobody(List<X509Certificate> chain) {
    throw new SecurityRefusal(Code.NOT_TRUSTED, "only nodes of the pool have clients");
  }

  private static void decide(Check check, X509Certificate[] chain) throws CertificateException {
    try {
      check.of(Trust.chain(chain));
    } catch (SecurityRefusal refusal) {
      throw new CertificateException(refusal.getMessage(), refusal);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    decide(clients, chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    decide(clients, chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    decide(clients, chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    decide(servers, chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    decide(servers, chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    decide(servers, chain);
  }

  /** None: which authorities a node trusts is not told to strangers. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}

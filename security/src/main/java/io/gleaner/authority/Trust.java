package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * The authorities of one pool that somebody trusts, and who is a member by their word (path
 * validation of RFC 5280 section 6.1). Revocations are not looked at here. Immutable.
 *
 * @param authorities their own certificates, the issuing one first
 * @param crossed what trusted authorities say of the keys of their successors
 */
public record Trust(String pool, List<X509Certificate> authorities, List<X509Certificate> crossed) {
  private static final int LONGEST_CHAIN = 16;

  public Trust {
    PoolIdentity.requirePool(pool);
    authorities = List.copyOf(authorities);
    crossed = List.copyOf(crossed);
    if (authorities.isEmpty()) {
      throw new SecurityRefusal(Code.INVALID, "trust needs at least one authority");
    }
  }

  /**
   * A member as a valid certificate shows it.
   *
   * @param issuer the authority that the chain led to
   */
  public record Member(PoolIdentity identity, X509Certificate certificate, Fingerprint issuer) {
    public String serial() {
      return Certificates.serial(certificate);
    }
  }

  /** What a member sends behind its own certificate. */
  public List<X509Certificate> above() {
    return java.util.stream.Stream.concat(crossed.stream(), authorities.stream()).toList();
  }

  /**
   * Whose the first certificate is.
   *
   * @param chain the certificate and, in any order, what may lead from it to a trusted authority
   * @throws SecurityRefusal with what is wrong if it is not a member's, or not valid now
   */
  public Member check(List<X509Certificate> chain, Instant now) {
    if (chain.isEmpty() || chain.size() > LONGEST_CHAIN) {
      throw refusal("a chain of 1 to " + LONGEST_CHAIN + " certificates was expected", null);
    }
    X509Certificate certificate = chain.get(0);
    PoolIdentity identity =
        PoolIdentity.of(certificate)
            .orElseThrow(() -> refusal("the certificate names no identity of a pool", null));
    if (!identity.pool().equals(pool)) {
      throw refusal(
          "the certificate is of the pool " + identity.pool() + ", expected " + pool, null);
    }
    Certificates.requireTime(certificate, now);
    if (certificate.getBasicConstraints() >= 0) {
      throw refusal("an authority is not a member", null);
    }
    return new Member(identity, certificate, path(chain, now));
  }

  /**
   * As {@link #check}, if the certificate is that of a node: nobody else is ever a server.
   *
   * @throws SecurityRefusal if it is not a node's
   */
  public Member checkNode(List<X509Certificate> chain, Instant now) {
    Member member = check(chain, now);
    if (member.identity().role() != PoolRole.NODE) {
      throw refusal(member.identity() + " is not a node of the pool, so it must not serve", null);
    }
    return member;
  }

  private Fingerprint path(List<X509Certificate> chain, Instant now) {
    List<X509Certificate> anchors =
        authorities.stream().filter(authority -> isTime(authority, now)).toList();
    if (anchors.isEmpty()) {
      throw refusal(
          "no authority of the pool " + pool + " is valid now; check the clock, or join again",
          null);
    }
    try {
      return new PathSearch(chain, anchors, now)
          .anchor()
          .map(Fingerprint::of)
          .orElseThrow(
              () ->
                  refusal(
                      "the certificate was not issued by an authority of the pool "
                          + pool
                          + " that is trusted",
                      null));
    } catch (GeneralSecurityException e) {
      throw refusal("the certificate cannot be checked: " + e.getMessage(), e);
    }
  }

  private static boolean isTime(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && !now.isAfter(certificate.getNotAfter().toInstant());
  }

  private static SecurityRefusal refusal(String why, Exception cause) {
    return new SecurityRefusal(Code.NOT_TRUSTED, why, cause);
  }

  /** The certificates of a TLS handshake as a list. */
  public static List<X509Certificate> chain(X509Certificate[] certificates) {
    return certificates == null ? List.of() : Arrays.asList(certificates);
  }
}

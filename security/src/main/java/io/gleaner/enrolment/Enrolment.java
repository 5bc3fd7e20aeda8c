package io.gleaner.enrolment;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.authority.Authority;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.SigningRequest;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;

/** How a key becomes a member of the pool, on the side of a node. Safe for all threads. */
public final class Enrolment {
  private final Authority authority;
  private final JoinTokens tokens;

  public Enrolment(Authority authority, JoinTokens tokens) {
    this.authority = authority;
    this.tokens = tokens;
  }

  /**
   * Turns a join token and a request into a certificate. What the certificate says of its holder is
   * what the token says; nothing of what the request claims counts but its key.
   *
   * @param token the secret of a {@link JoinToken}, or its text
   * @param request PKCS#10 in DER form, up to {@link SigningRequest#LARGEST_BYTES}
   * @param from the address that asks, for the security log
   * @throws SecurityRefusal with a sentence for the one who asks
   */
  public IssuedCertificate join(Secret token, byte[] request, String from) {
    SigningRequest proven = SigningRequest.decode(request);
    return join(token, proven, from, false);
  }

  /** As above, from this machine. */
  public IssuedCertificate join(Secret token, byte[] request) {
    return join(token, request, "node");
  }

  /**
   * As above for a browser, whose proof of its key was checked already; the token must be for one.
   *
   * @throws SecurityRefusal with a sentence for the one who asks
   */
  public IssuedCertificate joinBrowser(Secret token, PublicKey proven, String from) {
    return join(token, new SigningRequest(proven), from, true);
  }

  private IssuedCertificate join(
      Secret token, SigningRequest proven, String from, boolean browser) {
    Fingerprint key = Fingerprint.of(proven.key());
    PoolIdentity identity = tokens.use(token, key, authority.settings().pool(), browser);
    String how = "token=" + JoinTokens.nameOf(token) + " key=" + key.hex();
    return authority.issue(
        identity,
        proven,
        SecurityEvent.done(Deed.ENROLLED, Actor.unknown(from), identity.uri(), how));
  }

  /**
   * Renews the certificate that a connection showed.
   *
   * @param request as for {@link #join}, of the same or a new key
   * @throws SecurityRefusal with a sentence for the one who asks
   */
  public IssuedCertificate renew(X509Certificate current, byte[] request) {
    return authority.renew(current, SigningRequest.decode(request));
  }

  /**
   * Renews a browser's certificate for the same key, whose proof was checked already.
   *
   * @throws SecurityRefusal with a sentence for the one who asks
   */
  public IssuedCertificate renewBrowser(X509Certificate current) {
    return authority.renew(current, new SigningRequest(current.getPublicKey()));
  }

  /** What a new member is told: its certificate, then the authorities that are trusted now. */
  public List<X509Certificate> answer(IssuedCertificate issued) {
    return Stream.concat(Stream.of(issued.certificate()), authority.trust().above().stream())
        .toList();
  }
}

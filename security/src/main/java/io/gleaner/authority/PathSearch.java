package io.gleaner.authority;

import io.gleaner.signing.Signatures;
import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for the way from a certificate to a trusted authority through what successive authorities
 * say of each other. All of them have one name, and the platform's own builder of paths takes no
 * two of such certificates one behind the other; whoever missed two rotations needs that. What is
 * found is then validated as RFC 5280 section 6.1 says. For one thread.
 */
final class PathSearch {
  /** Signatures that are looked at for one chain: strangers send it. */
  private static final int MOST_CHECKS = 64;

  private final List<X509Certificate> chain;
  private final List<X509Certificate> anchors;
  private final Instant now;
  private int checks;

  /**
   * @param chain the certificate and, in any order, what may lead from it to an anchor
   * @param anchors authorities that are trusted and valid now
   */
  PathSearch(List<X509Certificate> chain, List<X509Certificate> anchors, Instant now) {
    this.chain = chain;
    this.anchors = anchors;
    this.now = now;
  }

  /**
   * The authority that vouches for the first certificate, or empty if none does.
   *
   * @throws GeneralSecurityException if a certificate cannot be checked
   */
  Optional<X509Certificate> anchor() throws GeneralSecurityException {
    List<X509Certificate> unused = new ArrayList<>(chain.subList(1, chain.size()));
    Deque<List<X509Certificate>> paths = new ArrayDeque<>();
    paths.add(List.of(chain.get(0)));
    while (!paths.isEmpty()) {
      List<X509Certificate> path = paths.remove();
      X509Certificate last = path.get(path.size() - 1);
      for (X509Certificate anchor : anchors) {
        if (signed(anchor, last) && isValid(path, anchor)) {
          return Optional.of(anchor);
        }
      }
      List<X509Certificate> above =
          unused.stream()
              .filter(each -> each.getBasicConstraints() >= 0 && signed(each, last))
              .toList();
      for (X509Certificate each : above) {
        unused.remove(each);
        List<X509Certificate> longer = new ArrayList<>(path);
        longer.add(each);
        paths.add(longer);
      }
    }
    return Optional.empty();
  }

  private boolean signed(X509Certificate above, X509Certificate below) {
    if (!above.getSubjectX500Principal().equals(below.getIssuerX500Principal())
        || ++checks > MOST_CHECKS) {
      return false;
    }
    return Signatures.isSignedBy(below, above.getPublicKey());
  }

  private boolean isValid(List<X509Certificate> path, X509Certificate anchor)
      throws GeneralSecurityException {
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(anchor, null)));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(now));
    CertPath certificates = CertificateFactory.getInstance("X.509").generateCertPath(path);
    try {
      CertPathValidator.getInstance("PKIX").validate(certificates, parameters);
      return true;
    } catch (CertPathValidatorException e) {
      return false;
    }
  }
}

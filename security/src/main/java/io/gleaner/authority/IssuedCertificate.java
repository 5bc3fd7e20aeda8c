package io.gleaner.authority;

import java.security.cert.X509Certificate;

/**
 * A member's certificate as its authority gave it.
 *
 * @param issuer the authority that signed it
 */
public record IssuedCertificate(
    PoolIdentity identity, X509Certificate certificate, Fingerprint issuer) {
  public String serial() {
    return Certificates.serial(certificate);
  }
}

package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;

/**
 * The forms of the pool's certificates (RFC 5280). All authorities of a pool have the same subject,
 * so the certificate that an old one gives its successor is self-issued and does not count against
 * a path length of 0 (RFC 5280 section 6.1.4, RFC 4210 section 4.4).
 */
final class CertificateForms {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SERIAL_BITS = 128;
  private static final Pattern DNS_NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]{0,62})(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,62}))*");
  private static final int LONGEST_NAME = 253;
  private static final int MOST_NAMES = 100;

  private CertificateForms() {}

  /** From when until when a certificate is valid; whole seconds count. */
  record Validity(Instant begin, Instant end) {}

  /** An authority's own certificate. */
  static X509Certificate authority(String pool, KeyPair keys, Validity validity) {
    return authority(pool, keys.getPublic(), keys, validity);
  }

  /** What one authority of a pool says of the key of another one. */
  static X509Certificate authority(
      String pool, PublicKey subject, KeyPair signer, Validity validity) {
    X500Name name = authorityName(pool);
    try {
      JcaX509v3CertificateBuilder builder = builder(name, validity, name, subject);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      return sign(builder, subject, signer);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /**
   * A member's certificate.
   *
   * @param names DNS names and addresses of a node, else empty
   */
  static X509Certificate member(
      PoolIdentity identity,
      Collection<String> names,
      PublicKey key,
      KeyPair signer,
      Validity validity) {
    boolean node = identity.role() == PoolRole.NODE;
    try {
      JcaX509v3CertificateBuilder builder =
          builder(
              authorityName(identity.pool()),
              validity,
              new X500Name("CN=" + identity.role().text() + " " + identity.id()),
              key);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage,
          false,
          new ExtendedKeyUsage(
              node
                  ? new KeyPurposeId[] {
                    KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                  }
                  : new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth}));
      builder.addExtension(
          Extension.subjectAlternativeName, false, alternativeNames(identity, names));
      return sign(builder, key, signer);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Name issuer, Validity validity, X500Name subject, PublicKey key) {
    return new JcaX509v3CertificateBuilder(
        issuer, serial(), Date.from(validity.begin()), Date.from(validity.end()), subject, key);
  }

  private static X509Certificate sign(
      JcaX509v3CertificateBuilder builder, PublicKey subject, KeyPair signer) throws IOException {
    try {
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      builder.addExtension(
          Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(subject));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(signer.getPublic()));
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer(signer)));
    } catch (GeneralSecurityException e) {
      throw broken(e);
    }
  }

  private static org.bouncycastle.operator.ContentSigner signer(KeyPair keys) {
    PrivateKey key = keys.getPrivate();
    try {
      return new JcaContentSignerBuilder(P256.ALGORITHM).build(key);
    } catch (OperatorCreationException e) {
      throw broken(e);
    }
  }

  private static GeneralNames alternativeNames(PoolIdentity identity, Collection<String> names) {
    if (names.size() > MOST_NAMES) {
      throw new SecurityRefusal(
          Code.INVALID, "a certificate names up to " + MOST_NAMES + " hosts, got " + names.size());
    }
    List<GeneralName> all = new ArrayList<>();
    all.add(new GeneralName(GeneralName.uniformResourceIdentifier, identity.uri()));
    for (String name : names) {
      if (IPAddress.isValid(name)) {
        all.add(new GeneralName(GeneralName.iPAddress, name));
      } else if (name.length() <= LONGEST_NAME && DNS_NAME.matcher(name).matches()) {
        all.add(new GeneralName(GeneralName.dNSName, name));
      } else {
        throw new SecurityRefusal(
            Code.INVALID,
            "a host of the certificate is neither a DNS name nor an address; check the names that"
                + " the node was given");
      }
    }
    return new GeneralNames(all.toArray(GeneralName[]::new));
  }

  static X500Name authorityName(String pool) {
    return new X500Name("CN=Gleaner pool " + pool);
  }

  private static BigInteger serial() {
    BigInteger serial = new BigInteger(SERIAL_BITS, RANDOM);
    return serial.signum() == 0 ? serial() : serial;
  }

  private static IllegalStateException broken(Exception e) {
    return new IllegalStateException("a certificate could not be made: " + e.getMessage(), e);
  }
}

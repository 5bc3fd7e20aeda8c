package io.gleaner.authority;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Signatures;
import java.io.IOException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.crypto.util.ScryptConfig;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfoBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEInputDecryptorProviderBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEOutputEncryptorBuilder;

/**
 * An authority's key, encrypted: PKCS#8 (RFC 5958) under AES-256 with a key that scrypt (RFC 7914;
 * 16 MiB, five passes) derives from the passphrase, as {@code openssl pkcs8} reads it. Not PKCS#12:
 * the integrity of such a file rests on a hash that needs no memory and tells which guess of the
 * passphrase was right. Here the certificate in the database tells whether the key is whole.
 */
final class SealedKey {
  /** As every node seals: 16 MiB, five passes. */
  static final SealedKey STRONG = new SealedKey(1 << 14, 5);

  private static final int LARGEST_BYTES = 4096;

  private final ScryptConfig scrypt;

  /**
   * A way to seal; opening takes what a sealed key says of itself.
   *
   * @param cost of scrypt, in KiB of memory
   */
  SealedKey(int cost, int passes) {
    scrypt = new ScryptConfig.Builder(cost, 8, passes).withSaltLength(32).build();
  }

  byte[] seal(KeyPair keys, Secret passphrase) {
    try {
      return new PKCS8EncryptedPrivateKeyInfoBuilder(
              PrivateKeyInfo.getInstance(keys.getPrivate().getEncoded()))
          .build(
              new JcePKCSPBEOutputEncryptorBuilder(scrypt, NISTObjectIdentifiers.id_aes256_CBC)
                  .setProvider(new BouncyCastleProvider())
                  .build(passphrase.reveal().toCharArray()))
          .getEncoded();
    } catch (OperatorCreationException | IOException e) {
      throw new IllegalStateException(
          "the authority's key could not be encrypted: " + e.getMessage(), e);
    }
  }

  /**
   * The key pair of the certificate.
   *
   * @throws SecurityRefusal if the passphrase is wrong, or the key damaged or another's
   */
  static KeyPair open(byte[] sealed, X509Certificate certificate, Secret passphrase) {
    if (sealed.length > LARGEST_BYTES) {
      throw locked("is longer than " + LARGEST_BYTES + " bytes", null);
    }
    PrivateKey key;
    try {
      PrivateKeyInfo info =
          new PKCS8EncryptedPrivateKeyInfo(sealed)
              .decryptPrivateKeyInfo(
                  new JcePKCSPBEInputDecryptorProviderBuilder()
                      .setProvider(new BouncyCastleProvider())
                      .build(passphrase.reveal().toCharArray()));
      key =
          KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
    } catch (Exception e) {
      // Wrong padding, wrong structure, wrong key: all of it says the same.
      throw locked("cannot be opened with this passphrase, or is damaged", e);
    }
    if (!Signatures.isPair(key, certificate.getPublicKey())) {
      throw locked("is not that of the authority in the database", null);
    }
    return new KeyPair(certificate.getPublicKey(), key);
  }

  private static SecurityRefusal locked(String why, Exception cause) {
    return new SecurityRefusal(
        Code.AUTHORITY_LOCKED,
        "the encrypted key of the pool's authority "
            + why
            + "; give the passphrase that it was made with, or restore it from a backup",
        cause);
  }
}

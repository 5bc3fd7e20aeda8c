package io.gleaner.tls;

import io.gleaner.authority.Certificates;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.P256;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.Trust;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The key and the certificate of a member on its own machine, in one file that only its owner can
 * use: {@code member.pem} with the private key, the certificate and the authorities that are
 * trusted. It is replaced in one step, so key and certificate always belong together. One process
 * at a time; not safe for several threads.
 */
public final class MemberFile {
  private static final String MEMBER = "member.pem";
  private static final String PENDING = "pending-key.pem";
  private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";
  private static final String PUBLIC_BEGIN = "-----BEGIN PUBLIC KEY-----\n";
  private static final String PUBLIC_END = "\n-----END PUBLIC KEY-----\n";

  private final Path folder;
  private final InstantSource clock;

  /** Nothing is read or written yet. */
  public MemberFile(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /** What a member shows, and whom it believes. */
  public record Membership(Credentials credentials, Trust trust) {
    /** Who it is. */
    public PoolIdentity identity() {
      return PoolIdentity.of(credentials.certificate()).orElseThrow();
    }
  }

  /**
   * The membership, or empty if there is none yet; it may have ended.
   *
   * @throws SecurityRefusal if the file is damaged or others can read it
   */
  public Optional<Membership> read() {
    Path file = folder.resolve(MEMBER);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String text = new String(SecretFile.readBytes(file), StandardCharsets.US_ASCII);
    int begin = text.indexOf(CERTIFICATE);
    if (begin < 0) {
      throw new SecurityRefusal(
          Code.INVALID, "there is no certificate in " + file + "; remove it and join again");
    }
    PrivateKey key =
        Credentials.privateKey(
            text.substring(0, begin).getBytes(StandardCharsets.US_ASCII), file.toString());
    return Optional.of(
        membership(
            key, Certificates.decode(text.substring(begin).getBytes(StandardCharsets.US_ASCII))));
  }

  /**
   * The key to ask a certificate for: made once and kept until it has one, so who lost the answer
   * asks again with the same key.
   */
  public KeyPair pendingKey() {
    Path file = folder.resolve(PENDING);
    if (!Files.exists(file)) {
      KeyPair made = P256.generate();
      String text =
          pem(made.getPrivate())
              + PUBLIC_BEGIN
              + Base64.getEncoder().encodeToString(made.getPublic().getEncoded())
              + PUBLIC_END;
      SecretFile.writeBytes(file, text.getBytes(StandardCharsets.US_ASCII));
    }
    byte[] bytes = SecretFile.readBytes(file);
    return new KeyPair(
        publicKey(new String(bytes, StandardCharsets.US_ASCII), file),
        Credentials.privateKey(bytes, file.toString()));
  }

  /**
   * Keeps a certificate for the pending key.
   *
   * @param answer the certificate, then the authorities as the node told them
   * @param by whom the connection was believed that the answer came over
   * @throws SecurityRefusal if the certificate is for another key, or not by an authority that is
   *     trusted; nothing is changed then
   */
  public Membership joined(List<X509Certificate> answer, Trust by) {
    KeyPair pending = pendingKey();
    X509Certificate certificate = by.check(answer, clock.instant()).certificate();
    if (!Fingerprint.of(certificate).equals(Fingerprint.of(pending.getPublic()))) {
      throw new SecurityRefusal(
          Code.NOT_TRUSTED, "the node answered with a certificate for another key; join again");
    }
    Membership membership = membership(pending.getPrivate(), answer);
    String text = pem(pending.getPrivate()) + Certificates.pem(answer);
    SecretFile.writeBytes(folder.resolve(MEMBER), text.getBytes(StandardCharsets.US_ASCII));
    try {
      Files.deleteIfExists(folder.resolve(PENDING));
    } catch (IOException e) {
      throw new UncheckedIOException("a key that is not pending any more could not be removed", e);
    }
    return membership;
  }

  private static Membership membership(PrivateKey key, List<X509Certificate> all) {
    List<X509Certificate> authorities = new ArrayList<>();
    List<X509Certificate> crossed = new ArrayList<>();
    for (X509Certificate each : all.subList(1, all.size())) {
      if (each.getBasicConstraints() >= 0) {
        (Certificates.isOwn(each) ? authorities : crossed).add(each);
      }
    }
    String pool =
        PoolIdentity.of(all.get(0))
            .orElseThrow(
                () ->
                    new SecurityRefusal(
                        Code.NOT_TRUSTED, "the certificate names no identity of a pool"))
            .pool();
    Trust trust = new Trust(pool, authorities, crossed);
    // Nodes know the authorities themselves.
    return new Membership(new Credentials(key, List.of(all.get(0))), trust);
  }

  private static String pem(PrivateKey key) {
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getEncoder().encodeToString(key.getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }

  private static PublicKey publicKey(String text, Path file) {
    int begin = text.indexOf(PUBLIC_BEGIN);
    int end = text.indexOf(PUBLIC_END);
    try {
      byte[] encoded =
          Base64.getDecoder().decode(text.substring(begin + PUBLIC_BEGIN.length(), end));
      return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new SecurityRefusal(
          Code.INVALID, "the key in " + file + " is damaged; remove it and join again", e);
    }
  }
}

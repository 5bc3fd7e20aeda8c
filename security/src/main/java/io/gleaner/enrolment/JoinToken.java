package io.gleaner.enrolment;

import io.gleaner.authority.Base32;
import io.gleaner.authority.Fingerprint;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Digests;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;

/**
 * A join token as people pass it on: {@code gleaner_} and 58 letters and digits, which hold 128
 * bits of the authority's fingerprint (to forge one of those takes as long as to guess a key of
 * AES), a secret of 128 bits and a checksum. Immutable.
 */
public final class JoinToken {
  /** What every token in this form starts with. */
  public static final String PREFIX = "gleaner_";

  private static final int PART_BYTES = 16;
  private static final int CHECK_BYTES = 4;
  private static final int LONGEST = 200;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] authority;
  private final Secret secret;

  private JoinToken(byte[] authority, Secret secret) {
    this.authority = authority;
    this.secret = secret;
  }

  /** A new token with a secret of its own. */
  static JoinToken random(Fingerprint authority) {
    byte[] secret = new byte[PART_BYTES];
    RANDOM.nextBytes(secret);
    return new JoinToken(authority.start(PART_BYTES), Secret.of(Base32.encode(secret)));
  }

  /** Whether the text claims to be a token in this form. */
  static boolean isOne(Secret text) {
    return text.reveal().toLowerCase(Locale.ROOT).startsWith(PREFIX);
  }

  /**
   * Reads a token; case, hyphens and white space do not matter.
   *
   * @throws SecurityRefusal if it was mistyped, cut off, or is none
   */
  public static JoinToken parse(Secret text) {
    if (!isOne(text) || text.reveal().length() > LONGEST) {
      throw refusal("this is no join token: one starts with " + PREFIX);
    }
    byte[] bytes =
        Base32.decode(text.reveal().substring(PREFIX.length()), 2 * PART_BYTES + CHECK_BYTES)
            .orElseThrow(
                () ->
                    refusal(
                        "the join token is not whole: expected "
                            + PREFIX
                            + " and 58 letters and digits; copy it again"));
    byte[] content = Arrays.copyOf(bytes, 2 * PART_BYTES);
    if (!Arrays.equals(check(content), Arrays.copyOfRange(bytes, 2 * PART_BYTES, bytes.length))) {
      throw refusal("the join token was mistyped: its checksum is wrong; copy it again");
    }
    return new JoinToken(
        Arrays.copyOf(content, PART_BYTES),
        Secret.of(Base32.encode(Arrays.copyOfRange(content, PART_BYTES, 2 * PART_BYTES))));
  }

  /** What the pool knows the token by; say it to a node of the token's pool only. */
  public Secret secret() {
    return secret;
  }

  /** Whether the authority of this fingerprint made the token. */
  public boolean isOf(Fingerprint fingerprint) {
    return fingerprint.startsWith(authority);
  }

  /** The form to pass on. */
  public Secret text() {
    byte[] content =
        ByteBuffer.allocate(2 * PART_BYTES)
            .put(authority)
            .put(Base32.decode(secret.reveal(), PART_BYTES).orElseThrow())
            .array();
    byte[] all =
        ByteBuffer.allocate(content.length + CHECK_BYTES).put(content).put(check(content)).array();
    return Secret.of(PREFIX + Base32.encode(all));
  }

  @Override
  public String toString() {
    return "[hidden]";
  }

  private static byte[] check(byte[] content) {
    return Arrays.copyOf(Digests.sha256().digest(content), CHECK_BYTES);
  }

  private static SecurityRefusal refusal(String why) {
    return new SecurityRefusal(Code.TOKEN_REFUSED, why);
  }
}

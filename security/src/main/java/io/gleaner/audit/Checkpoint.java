package io.gleaner.audit;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.Digests;
import io.gleaner.signing.Lines;
import io.gleaner.signing.Signer;
import io.gleaner.signing.SignerKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * What a node saw as the end of a chain, with its signature: whoever keeps it elsewhere can tell
 * later whether anything up to that line was changed. Whether the signature is right is asked apart
 * ({@link #isSigned}), since one that is not is a finding.
 *
 * @param signature 128 hexadecimal digits of Ed25519 over the lines before it
 */
public record Checkpoint(
    String chain, long line, String hash, Instant at, Signer signer, String signature) {
  private static final String WHAT = "the checkpoint";
  private static final String TITLE = "gleaner-checkpoint";
  private static final String VERSION = "1";
  private static final int LARGEST_BYTES = 1024;

  static Checkpoint sign(String chain, ChainHead head, Instant at, SignerKey key) {
    Checkpoint unsigned = new Checkpoint(chain, head.line(), head.hash(), at, key.signer(), "");
    return new Checkpoint(
        chain, head.line(), head.hash(), at, key.signer(), key.sign(unsigned.message()));
  }

  /** Whether it is its signer's. */
  public boolean isSigned() {
    return signer.verifies(message(), signature);
  }

  /** The lines in which it is kept outside the database. */
  public String encode() {
    return new String(message(), StandardCharsets.US_ASCII) + "signature: " + signature + "\n";
  }

  /** Reads several, one after the other; refuses as {@link #decode} does. */
  public static List<Checkpoint> decodeAll(String text) {
    return Arrays.stream(text.split("(?<=\n)(?=" + TITLE + ": )")).map(Checkpoint::decode).toList();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws SecurityRefusal SIGNATURE_REFUSED if it is not that, or not signed
   */
  public static Checkpoint decode(String text) {
    Lines lines = new Lines(WHAT, text.getBytes(StandardCharsets.UTF_8), LARGEST_BYTES);
    String version = lines.value(TITLE);
    Checkpoint checkpoint =
        new Checkpoint(
            lines.value("chain"),
            lines.number("line"),
            lines.value("hash"),
            Instant.ofEpochMilli(lines.number("at-millis")),
            new Signer(lines.value("signer")),
            lines.value("signature"));
    lines.requireEnd();
    if (!version.equals(VERSION)
        || !Digests.isSha256Hex(checkpoint.hash)
        || !checkpoint.isSigned()) {
      throw new SecurityRefusal(
          SecurityRefusal.Code.SIGNATURE_REFUSED,
          WHAT + " is refused: its signature is not that of " + checkpoint.signer);
    }
    return checkpoint;
  }

  private byte[] message() {
    return (TITLE
            + ": "
            + VERSION
            + "\nchain: "
            + chain
            + "\nline: "
            + line
            + "\nhash: "
            + hash
            + "\nat-millis: "
            + at.toEpochMilli()
            + "\nsigner: "
            + signer.hex()
            + "\n")
        .getBytes(StandardCharsets.US_ASCII);
  }
}

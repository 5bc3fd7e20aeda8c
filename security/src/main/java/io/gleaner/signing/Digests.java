package io.gleaner.signing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** SHA-256 in lower-case hexadecimal, the name of everything content-addressed. */
public final class Digests {
  private static final Pattern SHA_256_HEX = Pattern.compile("[0-9a-f]{64}");
  private static final int BUFFER_BYTES = 64 * 1024;

  private Digests() {}

  /** A fresh SHA-256, which every Java platform has. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  public static String sha256Hex(byte[] bytes) {
    return hex(sha256().digest(bytes));
  }

  /** The digest of the text as UTF-8. */
  public static String sha256Hex(String text) {
    return sha256Hex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The digest of all that is left in the stream, which stays open. */
  public static String sha256Hex(InputStream in) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      digest.update(buffer, 0, read);
    }
    return hex(digest.digest());
  }

  public static String sha256Hex(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return sha256Hex(in);
    }
  }

  /** Bytes as lower-case hexadecimal. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Whether the text has the form of a digest of this class. */
  public static boolean isSha256Hex(String text) {
    return SHA_256_HEX.matcher(text).matches();
  }
}

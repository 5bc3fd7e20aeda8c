package io.gleaner.blob;

import io.gleaner.signing.Digests;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stream that fails at its end unless its bytes have the digest. For one thread. */
public final class VerifiedStream extends FilterInputStream {
  private static final Logger LOG = LoggerFactory.getLogger(VerifiedStream.class);

  private final MessageDigest digest = Digests.sha256();
  private final String expected;
  private boolean verified;

  public VerifiedStream(InputStream in, String expectedDigest) {
    super(in);
    this.expected = expectedDigest;
  }

  /**
   * Reads all of a verified stream, closes it, and says whether it had the bytes it should have.
   */
  static boolean isWhole(InputStream verified) {
    try (verified) {
      verified.transferTo(OutputStream.nullOutputStream());
      return true;
    } catch (IOException damaged) {
      LOG.warn("content is to be replaced: {}", damaged.getMessage());
      return false;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = in.read(bytes, offset, length);
    if (read < 0) {
      verify();
    } else {
      digest.update(bytes, offset, read);
    }
    return read;
  }

  /** Skips by reading, since every byte counts for the digest. */
  @Override
  public long skip(long count) throws IOException {
    byte[] skipped = new byte[(int) Math.min(Math.max(count, 0), 64 * 1024)];
    return skipped.length == 0 ? 0 : Math.max(read(skipped, 0, skipped.length), 0);
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void verify() throws IOException {
    if (verified) {
      return;
    }
    String actual = Digests.hex(digest.digest());
    if (!actual.equals(expected)) {
      throw new IOException(
          "blob "
              + expected
              + " is damaged: its bytes have the digest "
              + actual
              + "; put the content again");
    }
    verified = true;
  }
}

package io.gleaner.rest;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Tells whether bytes are a picture that pages may show; the only format they do. Source: PNG
 * specification, section 5.2.
 */
public final class PngSignature {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private PngSignature() {}

  /** Looks at the start of a stream that can be marked, and leaves it where it was. */
  public static boolean startsOf(InputStream in) throws IOException {
    in.mark(SIGNATURE.length);
    byte[] start = in.readNBytes(SIGNATURE.length);
    in.reset();
    return Arrays.equals(start, SIGNATURE);
  }
}

package io.gleaner.signing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class DigestsTest {
  /** FIPS 180-2, appendix B.1. */
  private static final String OF_ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir Path folder;

  @Test
  void bytesStreamsAndFilesHaveTheDigestOfTheStandard() throws IOException {
    byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII);
    Path file = Files.write(folder.resolve("abc"), abc);

    assertThat(Digests.sha256Hex(abc)).isEqualTo(OF_ABC);
    assertThat(Digests.sha256Hex("abc")).isEqualTo(OF_ABC);
    assertThat(Digests.sha256Hex(new ByteArrayInputStream(abc))).isEqualTo(OF_ABC);
    assertThat(Digests.sha256Hex(file)).isEqualTo(OF_ABC);
  }

  @Test
  void onlySixtyFourLowerCaseDigitsAreADigest() {
    assertThat(Digests.isSha256Hex(OF_ABC)).isTrue();
    assertThat(Digests.isSha256Hex(OF_ABC.toUpperCase(java.util.Locale.ROOT))).isFalse();
    assertThat(Digests.isSha256Hex("../" + OF_ABC.substring(3))).isFalse();
    assertThat(Digests.isSha256Hex("")).isFalse();
  }
}

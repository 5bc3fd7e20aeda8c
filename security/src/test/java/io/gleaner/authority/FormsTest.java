package io.gleaner.authority;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.secrets.SecurityRefusal.Code;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FormsTest {
  @TempDir Path folder;

  @Test
  void certificatesAreWrittenAndReadAsBytesAndText() throws Exception {
    TestPool pool = TestPool.fresh();
    List<X509Certificate> two =
        List.of(
            pool.device("d1", P256.generate()).certificate(),
            pool.authority.trust().authorities().get(0));
    assertThat(Certificates.decode(Certificates.encode(two))).isEqualTo(two);
    byte[] text = (Certificates.pem(two) + "\n\n").getBytes(StandardCharsets.US_ASCII);
    assertThat(Certificates.decode(text)).isEqualTo(two);

    assertRefused(Code.NOT_TRUSTED, "there is none", () -> Certificates.decode(new byte[0]));
    assertRefused(
        Code.NOT_TRUSTED, "more than 65536", () -> Certificates.decode(new byte[65 * 1024]));
    assertRefused(
        Code.NOT_TRUSTED,
        "more than 16",
        () -> Certificates.decode(Certificates.encode(Collections.nCopies(17, two.get(0)))));
    assertRefused(
        Code.NOT_TRUSTED,
        "malformed",
        () -> Certificates.decode("hello".getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void encryptedKeysAreFilesOfTheirOwnerOnly() {
    FolderAuthorityKeys keys = new FolderAuthorityKeys(folder.resolve("data"));
    Fingerprint one = Fingerprint.of(P256.generate().getPublic());
    assertThat(keys.read(one)).isEmpty();
    keys.write(one, new byte[] {1, 2});
    keys.write(one, new byte[] {1, 2, 3});
    assertThat(keys.read(one)).contains(new byte[] {1, 2, 3});
    Path file = folder.resolve("data").resolve("authority-" + one.hex() + ".p8");
    assertThat(file).exists();
    keys.remove(one);
    keys.remove(one);
    assertThat(Files.exists(file)).isFalse();
  }

  @Test
  void identitiesAreTheirUris() {
    PoolIdentity device = TestPool.device("d1");
    assertThat(PoolIdentity.parse(device.uri())).contains(device);
    assertThat(PoolIdentity.parse("gleaner://lab/node/-/n1"))
        .contains(PoolIdentity.node("lab", "n1"));
    for (String wrong :
        List.of(
            "",
            "https://lab/device/ada/d1",
            "gleaner://lab/device/ada",
            "gleaner://lab/device/ada/d1/x",
            "gleaner://lab/king/ada/d1",
            "gleaner://Home/device/ada/d1",
            "gleaner://lab/device/-/d1",
            "gleaner://lab/node/ada/d1",
            "gleaner://lab/device/ada/D 1",
            "gleaner://lab/device/" + "a".repeat(300) + "/d1")) {
      assertThat(PoolIdentity.parse(wrong)).as(wrong).isEmpty();
    }
    assertThat(PoolIdentity.randomId()).matches("[0-9a-z]{16}");
  }

  @Test
  void base32ForgivesWhatPeopleConfuse() {
    Random random = new Random(1);
    for (int length = 0; length < 50; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      String text = Base32.encode(bytes);
      assertThat(Base32.decode(text, length)).contains(bytes);
      assertThat(Base32.decode(text.toUpperCase(java.util.Locale.ROOT) + " ", length))
          .contains(bytes);
      assertThat(Base32.decode(text, length + 1)).isEmpty();
    }
    assertThat(Base32.decode("0o-1Il", 3)).isEmpty();
    assertThat(Base32.decode("oi", 1)).isEmpty();
    assertThat(Base32.decode("0G", 1)).contains(new byte[] {4});
    assertThat(Base32.decode("u4", 1)).isEmpty();
    assertThat(Base32.decode("o4", 1)).contains(new byte[] {1});
  }

  @Test
  void fingerprintsAreReadInAnyForm() {
    Fingerprint one = Fingerprint.of(P256.generate().getPublic());
    assertThat(Fingerprint.parse(one.hex())).isEqualTo(one);
    assertThat(Fingerprint.parse(one.toString().replace(':', ' '))).isEqualTo(one);
    assertThat(one.startsWith(one.start(16))).isTrue();
    assertThat(one.startsWith(new byte[16])).isFalse();
    assertRefused(Code.INVALID, "64 hexadecimal digits", () -> Fingerprint.parse("12"));
  }
}

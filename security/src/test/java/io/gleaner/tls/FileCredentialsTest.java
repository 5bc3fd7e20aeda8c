package io.gleaner.tls;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.Certificates;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.authority.P256;
import io.gleaner.authority.TestPool;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A certificate and a key that an operator brings. */
@Timeout(60)
class FileCredentialsTest {
  private final InstantSource now = InstantSource.system();

  @TempDir private Path folder;
  private Path certificates;
  private Path key;
  private TestPool pool;

  @BeforeEach
  void files() throws Exception {
    pool = TestPool.today();
    certificates = folder.resolve("console.pem");
    key = folder.resolve("console.key");
    brings("console.example", "192.0.2.7", "::1");
  }

  private void brings(String... hosts) throws IOException {
    KeyPair keys = P256.generate();
    IssuedCertificate issued = pool.authority.issueNode("n1", List.of(hosts), keys.getPublic());
    Files.writeString(certificates, Certificates.pem(List.of(issued.certificate())));
    writes(keys);
  }

  private void writes(KeyPair keys) {
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(keys.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    SecretFile.writeBytes(key, pem.getBytes(StandardCharsets.US_ASCII));
  }

  private FileCredentials read() {
    return new FileCredentials(certificates, key, now);
  }

  @Test
  void itSaysForWhichHostsItIs() {
    assertThat(read().get().hosts())
        .containsExactlyInAnyOrder("console.example", "192.0.2.7", "0:0:0:0:0:0:0:1");
  }

  @Test
  void whatCannotBeUsedIsRefusedAtTheStartInASentence() throws IOException {
    assertRefused(
        Code.INVALID,
        "cannot be read; name a file in PEM form",
        () -> new FileCredentials(folder.resolve("none.pem"), key, now));
    assertRefused(
        Code.SECRET_FILE_UNREADABLE,
        "there is no secret file",
        () -> new FileCredentials(certificates, folder.resolve("none.key"), now));
    assertRefused(
        Code.NOT_TRUSTED,
        "ended at",
        () ->
            new FileCredentials(
                certificates, key, InstantSource.offset(now, Duration.ofDays(365))));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    assertRefused(Code.SECRET_FILE_OPEN, "chmod 600", this::read);
    writes(P256.generate());
    assertRefused(Code.INVALID, "is not that of the certificate", this::read);
    Files.writeString(certificates, "no certificate");
    assertRefused(Code.INVALID, "console.pem: certificates were expected", this::read);
  }

  @Test
  void replacedFilesAreShownAndDamagedOnesAreNot() throws IOException {
    FileCredentials shown = read();
    Credentials first = shown.get();
    shown.look();
    assertThat(shown.get()).isSameAs(first);
    brings("other.example");
    isTouched();
    shown.look();
    assertThat(shown.get().hosts()).containsExactly("other.example");
    Files.writeString(certificates, "half a certif");
    Files.setLastModifiedTime(certificates, FileTime.from(Instant.EPOCH));
    shown.look();
    assertThat(shown.get().hosts()).containsExactly("other.example");
  }

  /** Whatever the resolution of the file system's clock is. */
  private void isTouched() throws IOException {
    Files.setLastModifiedTime(certificates, FileTime.from(Instant.EPOCH.plusSeconds(1)));
  }
}

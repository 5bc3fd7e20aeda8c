package io.gleaner.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class SecretFileTest {
  @TempDir Path folder;

  @Test
  void onlyTheOwnerCanUseWhatIsWritten() throws IOException {
    Secret secret = Secret.random();
    Path file = folder.resolve("deeper/token");

    SecretFile.write(file, secret);

    assertThat(SecretFile.read(file)).isEqualTo(secret);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aFileThatOthersCanReadIsRefusedWithTheRemedy() throws IOException {
    Path file = folder.resolve("token");
    SecretFile.write(file, Secret.of("open sesame"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

    assertThatThrownBy(() -> SecretFile.read(file))
        .isInstanceOfSatisfying(
            SecurityRefusal.class, e -> assertThat(e.code()).isEqualTo(Code.SECRET_FILE_OPEN))
        .hasMessageContaining("chmod 600")
        .hasMessageNotContaining("sesame");
  }

  @Test
  void aFileOfSomebodyElseIsRefused() throws IOException {
    Path file = folder.resolve("passphrase");
    SecretFile.write(file, Secret.of("open sesame"));
    long mine = ((Number) Files.getAttribute(file, "unix:uid")).longValue();
    if (mine == FileOwners.ROOT) {
      Files.setAttribute(file, "unix:uid", 4711);
      assertThatThrownBy(() -> SecretFile.read(file)).hasMessageContaining("belongs to 4711");
    }

    assertThatThrownBy(() -> SecretFile.read(file, mine + 1))
        .isInstanceOfSatisfying(
            SecurityRefusal.class, e -> assertThat(e.code()).isEqualTo(Code.SECRET_FILE_OPEN))
        .hasMessageContaining("expected the user who runs this, or root")
        .hasMessageNotContaining("sesame");
  }

  @Test
  void aMissingOrEmptyFileIsNamed() throws IOException {
    Path file = folder.resolve("token");
    assertThatThrownBy(() -> SecretFile.read(file)).hasMessageContaining("there is no secret file");

    SecretFile.write(file, Secret.of(" "));
    assertThatThrownBy(() -> SecretFile.read(file)).hasMessageContaining("is empty");
  }

  @Test
  void aSecretHidesItself() {
    Secret secret = Secret.of("hunter2");
    assertThat(secret).hasToString("[hidden]").isEqualTo(Secret.of("hunter2"));
    assertThat(secret).isNotEqualTo(Secret.of("hunter3"));
    assertThat(Secret.random()).isNotEqualTo(Secret.random());
    assertThat(Secret.random().reveal()).hasSize(43);
  }
}

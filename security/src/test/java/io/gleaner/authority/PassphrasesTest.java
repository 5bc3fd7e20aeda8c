package io.gleaner.authority;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PassphrasesTest {
  @TempDir Path folder;
  private Path data;
  private final Deque<Secret> typed = new ArrayDeque<>();
  private final List<String> warned = new ArrayList<>();

  @BeforeEach
  void aDataFolder() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
  }

  @Test
  void aFileOutsideTheDataFolderThatOnlyItsOwnerReads() throws IOException {
    Path file = folder.resolve("passphrase");
    SecretFile.write(file, Secret.of("correct horse battery"));
    assertThat(passphrases(Map.of()).ofFile(file)).isEqualTo(Secret.of("correct horse battery"));

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertRefused(Code.SECRET_FILE_OPEN, "chmod 600", () -> passphrases(Map.of()).ofFile(file));
    Path inside = data.resolve("passphrase");
    SecretFile.write(inside, Secret.of("correct horse battery"));
    assertRefused(Code.INVALID, "put it elsewhere", () -> passphrases(Map.of()).ofFile(inside));
    Path link = Files.createSymbolicLink(folder.resolve("link"), inside);
    assertRefused(Code.INVALID, "put it elsewhere", () -> passphrases(Map.of()).ofFile(link));
    assertRefused(
        Code.SECRET_FILE_UNREADABLE,
        "there is no secret file",
        () -> passphrases(Map.of()).ofFile(folder.resolve("none")));
  }

  @Test
  void aCredentialOfSystemdThatItsGroupMayRead() throws IOException {
    Path credential = folder.resolve("gleaner-authority");
    SecretFile.write(credential, Secret.of("from systemd"));
    Files.setPosixFilePermissions(credential, PosixFilePermissions.fromString("r--r-----"));
    Passphrases with = passphrases(Map.of("CREDENTIALS_DIRECTORY", folder.toString()));
    assertThat(with.ofSurroundings(warned::add)).isEqualTo(Secret.of("from systemd"));
    assertThat(data).isEmptyDirectory();
    assertThat(warned).isEmpty();

    Files.setPosixFilePermissions(credential, PosixFilePermissions.fromString("r--r--r--"));
    assertRefused(Code.SECRET_FILE_OPEN, "chmod 600", () -> with.ofSurroundings(warned::add));
  }

  @Test
  void elseOneIsMadeAndKeptBesideTheKey() throws IOException {
    Secret made = passphrases(Map.of()).ofSurroundings(warned::add);
    assertThat(warned).hasSize(1).allMatch(warning -> warning.contains("LIES BESIDE IT"));
    assertThat(made.reveal()).hasSizeGreaterThan(40);
    assertThat(passphrases(Map.of()).ofSurroundings(warned::add)).isEqualTo(made);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(data.resolve("authority.passphrase"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aPersonTypesANewOneTwice() {
    typed.addAll(List.of(Secret.of("twelve chars"), Secret.of("twelve chars")));
    assertThat(passphrases(Map.of()).ofPrompt(true)).isEqualTo(Secret.of("twelve chars"));
    typed.add(Secret.of("short"));
    assertThat(passphrases(Map.of()).ofPrompt(false)).isEqualTo(Secret.of("short"));
    typed.add(Secret.of("short"));
    assertRefused(Code.INVALID, "at least 12", () -> passphrases(Map.of()).ofPrompt(true));
    typed.clear();
    typed.addAll(List.of(Secret.of("twelve chars"), Secret.of("twelve chars?")));
    assertRefused(Code.INVALID, "differ", () -> passphrases(Map.of()).ofPrompt(true));
    assertRefused(Code.TOKEN_MISSING, "no passphrase", () -> passphrases(Map.of()).ofPrompt(false));
  }

  private Passphrases passphrases(Map<String, String> environment) {
    return new Passphrases(environment, what -> Optional.ofNullable(typed.poll()), data);
  }
}

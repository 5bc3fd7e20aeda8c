package io.gleaner.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class TokenSourceTest {
  @TempDir Path folder;

  @Test
  void theFileThenTheEnvironmentThenThePrompt() {
    Path file = folder.resolve("token");
    SecretFile.write(file, Secret.of("from-file"));
    TokenSource full =
        new TokenSource(
            Map.of(TokenSource.ENVIRONMENT, " from-environment\n"),
            () -> Optional.of(Secret.of("typed")));
    TokenSource bare = new TokenSource(Map.of(), () -> Optional.of(Secret.of("typed")));

    assertThat(full.readFrom(file).reveal()).isEqualTo("from-file");
    assertThat(full.read().reveal()).isEqualTo("from-environment");
    assertThat(bare.read().reveal()).isEqualTo("typed");
  }

  @Test
  void withoutAnyTheWaysAreNamed() {
    TokenSource none = new TokenSource(Map.of(), Optional::empty);
    assertThatThrownBy(none::read)
        .isInstanceOfSatisfying(
            SecurityRefusal.class, e -> assertThat(e.code()).isEqualTo(Code.TOKEN_MISSING))
        .hasMessageContaining("--token-file")
        .hasMessageContaining("GLEANER_JOIN_TOKEN");
  }

  @Test
  void aTokenOnTheCommandLineIsRefusedWithoutRepeatingIt() {
    TokenSource.refuseOnCommandLine(
        List.of("worker", "--join", "127.0.0.1:1", "--token-file", "f"));
    for (String argument : List.of("--token=abc", "--join-token=abc", "--token")) {
      assertThatThrownBy(() -> TokenSource.refuseOnCommandLine(List.of("worker", argument)))
          .isInstanceOf(SecurityRefusal.class)
          .hasMessageNotContaining("abc");
    }
  }
}

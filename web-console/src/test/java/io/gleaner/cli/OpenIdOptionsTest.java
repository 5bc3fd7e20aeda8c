package io.gleaner.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.identity.Role;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.signin.Admission.Condition;
import io.gleaner.signin.OpenIdSettings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What is said of an OpenID provider on the command line. */
class OpenIdOptionsTest {
  private static final String ISSUER = "--openid-issuer=https://login.example.com";

  @TempDir private Path folder;

  @Command
  static final class Up {
    @Mixin private OpenIdOptions openId;
  }

  private static Optional<OpenIdSettings> settings(String... arguments) {
    Up up = new Up();
    new CommandLine(up).parseArgs(arguments);
    return up.openId.settings();
  }

  @Test
  void whoeverComesIsASubmitterUnlessMoreIsSaid() {
    Path file = folder.resolve("secret");
    SecretFile.write(file, Secret.of("the client's"));
    OpenIdSettings usual =
        settings(ISSUER, "--openid-client=c", "--openid-secret-file=" + file).orElseThrow();
    assertThat(usual.clientSecret()).isEqualTo(Secret.of("the client's"));
    assertThat(usual.name()).isEqualTo("OpenID");
    assertThat(usual.admission().newRoles()).containsExactly(Role.SUBMITTER);
    assertThat(usual.admission().allowed()).isEmpty();

    OpenIdSettings said =
        settings(
                ISSUER,
                "--openid-client=c",
                "--openid-secret-file=" + file,
                "--openid-name=Example Works",
                "--openid-claim=email",
                "--openid-role=owner",
                "--openid-role=submitter",
                "--openid-allow=email=*@example.com",
                "--openid-scope=groups")
            .orElseThrow();
    assertThat(said.name()).isEqualTo("Example Works");
    assertThat(said.admission().newRoles()).isEqualTo(Set.of(Role.OWNER, Role.SUBMITTER));
    assertThat(said.admission().allowed()).containsExactly(new Condition("email", "*@example.com"));
    assertThat(said.moreScopes()).containsExactly("groups");
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() {
    assertThat(settings()).isEmpty();
    assertThatThrownBy(() -> settings("--openid-allow=a=b"))
        .hasMessageContaining("go with --openid-issuer");
    assertThatThrownBy(() -> settings(ISSUER)).hasMessageContaining("needs --openid-client");
    assertThatThrownBy(() -> settings(ISSUER, "--openid-client=c"))
        .hasMessageContaining("--openid-secret-file");
  }
}

package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.node.GleanerCommand.Ran;
import io.gleaner.node.NodeSettings.Listening;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users and tokens by command, on a real node. */
@Timeout(240)
class UsersCommandTest {
  private static final String PASSWORD = "correct horse battery";

  @TempDir private Path folder;

  @Test
  @Tag("S13")
  void aUserIsAddedAndHerTokenServesUntilItIsRevokedAndNoSecretIsInALog() throws Exception {
    Path password = folder.resolve("password");
    SecretFile.write(password, Secret.of(PASSWORD));
    Path token = folder.resolve("token");
    Home home = new Home(folder.resolve("node"));
    try (Node node = start(home)) {
      Ran added =
          gleaner(
              "users",
              "add",
              "eve",
              "--role",
              "submitter",
              "--role",
              "owner",
              "--password-file",
              password.toString());
      assertThat(added.exitCode()).as(added.err()).isZero();
      assertThat(node.ledger().balance("user/eve")).isPositive();
      assertThat(gleaner("users", "list").out()).containsPattern("eve +owner, submitter");
      assertThat(gleaner("users", "roles", "admin", "--role", "owner").err())
          .contains("no operator would be left");

      Ran issued =
          gleaner(
              "tokens",
              "issue",
              "--user",
              "eve",
              "--scope",
              "read",
              "--label",
              "plots",
              "--to",
              token.toString());
      assertThat(issued.exitCode()).as(issued.err()).isZero();
      assertThat(issued.out()).doesNotContain(SecretFile.read(token).reveal());
      assertThat(gleaner("bags", "--api-token-file", token.toString()).exitCode()).isZero();
      Ran forbidden = gleaner("cancel", "x", "--api-token-file", token.toString());
      assertThat(forbidden.exitCode()).isEqualTo(4);

      String id =
          gleaner("tokens", "list", "--user", "eve", "--json")
              .json()
              .path("tokens")
              .get(0)
              .path("id")
              .asString();
      assertThat(gleaner("tokens", "revoke", id).exitCode()).isZero();
      assertThat(gleaner("bags", "--api-token-file", token.toString()).exitCode()).isEqualTo(1);

      SecretFile.write(password, Secret.of("another horse battery"));
      assertThat(gleaner("users", "password", "eve", "--password-file", password.toString()).out())
          .contains("was changed");
      assertThat(gleaner("audit", "log").out())
          .contains("USER_ADDED", "API_TOKEN_ISSUED", "API_TOKEN_REVOKED", "PASSWORD_CHANGED");
      assertThat(Files.readString(home.log()) + gleaner("audit", "log", "--json").out())
          .doesNotContain("horse", SecretFile.read(token).reveal())
          .doesNotContain(SecretFile.read(home.commandToken()).reveal())
          .doesNotContain(SecretFile.read(home.firstPassword()).reveal());
    }
  }

  @Test
  void tokensDoNotPileUpAtEachStart() throws Exception {
    Home home = new Home(folder.resolve("node"));
    Secret first;
    try (Node node = start(home)) {
      first = SecretFile.read(home.commandToken());
      assertThat(node.apiTokens().list(Node.OPERATOR)).hasSize(1);
    }
    try (Node node = start(home)) {
      assertThat(SecretFile.read(home.commandToken())).isEqualTo(first);
      assertThat(node.apiTokens().list(Node.OPERATOR)).hasSize(1);
    }
    SecretFile.write(home.commandToken(), Secret.of("something else"));
    try (Node node = start(home)) {
      assertThat(node.apiTokens().check(SecretFile.read(home.commandToken()))).isPresent();
    }
  }

  private static Node start(Home home) {
    return Node.start(NodeSettings.in(home).with(Listening.on(0, 0)), sentence -> {});
  }

  private Ran gleaner(String... arguments) throws Exception {
    return GleanerCommand.run(folder, folder.resolve("node"), arguments);
  }
}

package io.gleaner.node;

import io.gleaner.audit.Actor;
import io.gleaner.identity.ApiToken;
import io.gleaner.identity.ApiTokens;
import io.gleaner.identity.Sessions;
import io.gleaner.identity.TokenScope;
import io.gleaner.identity.Users;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;

/** Who may come in by the console: the users, their sessions and tokens. */
record Access(Users users, Sessions sessions, ApiTokens apiTokens) {
  /** The user that a new node has. */
  static final String OPERATOR = "admin";

  private static final Duration TOKEN_LIFE = Duration.ofDays(365);
  private static final Duration LEAST_LIFE = Duration.ofDays(30);
  private static final String LABEL = "commands on this machine";

  /**
   * Opens what the database knows. The first start makes the operator and leaves the first password
   * in a file; every start leaves a token for commands of this machine. Only this user can read
   * them.
   */
  static Access open(Home home, DataSource database, InstantSource clock) throws IOException {
    Access access =
        new Access(new Users(database, clock), new Sessions(clock), new ApiTokens(database, clock));
    var firstPassword = access.users.createFirst(OPERATOR);
    if (firstPassword.isPresent()) {
      renew(home.firstPassword(), firstPassword.get());
    }
    access.keepCommandToken(home.commandToken(), clock);
    return access;
  }

  /** The token of an earlier start serves on, so that tokens do not pile up. */
  private void keepCommandToken(Path file, InstantSource clock) throws IOException {
    Optional<ApiToken> before =
        Files.exists(file) ? apiTokens.find(SecretFile.read(file)) : Optional.empty();
    if (before.filter(token -> lives(token, clock)).isEmpty()) {
      renew(file, apiTokens.issue(Actor.NODE, OPERATOR, TokenScope.FULL, LABEL, TOKEN_LIFE));
      before.ifPresent(token -> apiTokens.revoke(Actor.NODE, token));
    }
  }

  private static boolean lives(ApiToken token, InstantSource clock) {
    return token.user().equals(OPERATOR)
        && token.scope() == TokenScope.FULL
        && token.expires().isAfter(clock.instant().plus(LEAST_LIFE));
  }

  private static void renew(Path file, Secret secret) throws IOException {
    Files.deleteIfExists(file);
    SecretFile.write(file, secret);
  }
}

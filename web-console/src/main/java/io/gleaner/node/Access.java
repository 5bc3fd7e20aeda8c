package io.gleaner.node;

import io.gleaner.authority.PoolRole;
import io.gleaner.enrolment.JoinTokens;
import io.gleaner.identity.ApiTokens;
import io.gleaner.identity.Sessions;
import io.gleaner.identity.Users;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;

/** Who may come in: the users, their sessions and tokens, and the launchers' join tokens. */
record Access(Users users, Sessions sessions, ApiTokens apiTokens, JoinTokens joinTokens) {
  /** The user that a new node has. */
  static final String OPERATOR = "admin";

  private static final Duration TOKEN_LIFE = Duration.ofDays(365);

  /**
   * Opens what the database knows. The first start makes the operator and leaves the first password
   * in a file; every start leaves fresh tokens for this machine in files. Only this user can read
   * them.
   */
  static Access open(Home home, DataSource database, InstantSource clock) throws IOException {
    Access access =
        new Access(
            new Users(database, clock),
            new Sessions(clock),
            new ApiTokens(database, clock),
            new JoinTokens(database, clock));
    var firstPassword = access.users.createFirst(OPERATOR);
    if (firstPassword.isPresent()) {
      renew(home.firstPassword(), firstPassword.get());
    }
    renew(home.commandToken(), access.apiTokens.issue(OPERATOR, TOKEN_LIFE));
    renew(home.joinToken(), access.joinTokens.issue(OPERATOR, TOKEN_LIFE));
    renew(
        home.applicationToken(),
        access.joinTokens.issue(PoolRole.APPLICATION, OPERATOR, TOKEN_LIFE));
    return access;
  }

  private static void renew(Path file, Secret secret) throws IOException {
    Files.deleteIfExists(file);
    SecretFile.write(file, secret);
  }
}

package io.gleaner.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApiTokensTest {

  @Test
  void aTokenStandsForItsUserUntilItExpiresOrIsRevoked() throws SQLException {
    TestIdentity identity = TestIdentity.fresh();
    User ada =
        new Users(identity.database(), identity)
            .create("ada", Role.SUBMITTER, Secret.of("correct horse battery"));
    ApiTokens tokens = new ApiTokens(identity.database(), identity);
    Secret token = tokens.issue("ada", Duration.ofHours(1));
    Secret other = tokens.issue("ada", Duration.ofDays(1));

    assertThat(tokens.check(token)).contains(ada);
    assertThat(tokens.check(Secret.random())).isEmpty();

    identity.passes(Duration.ofHours(1));
    assertThat(tokens.check(token)).isEmpty();
    assertThat(tokens.check(other)).contains(ada);
    tokens.revoke(other);
    assertThat(tokens.check(other)).isEmpty();
    assertThatThrownBy(() -> tokens.issue("nobody", Duration.ofHours(1)))
        .isInstanceOf(SecurityRefusal.class);
  }
}

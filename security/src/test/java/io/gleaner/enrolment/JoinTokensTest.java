package io.gleaner.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.authority.PoolRole;
import io.gleaner.identity.TestIdentity;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class JoinTokensTest {
  private TestIdentity identity;
  private JoinTokens tokens;

  @BeforeEach
  void aNodeWithoutTokens() throws SQLException {
    identity = TestIdentity.fresh();
    tokens = new JoinTokens(identity.database(), identity);
  }

  @Test
  void aTokenGrantsItsRoleForItsOwnerUntilItExpires() {
    Secret launcher = tokens.issue("ada", Duration.ofHours(1));
    Secret application = tokens.issue(PoolRole.APPLICATION, "bob", Duration.ofHours(2));

    assertThat(tokens.check(launcher)).contains(new JoinGrant(PoolRole.DEVICE, "ada"));
    assertThat(tokens.check(application)).contains(new JoinGrant(PoolRole.APPLICATION, "bob"));
    assertThat(tokens.check(Secret.random())).isEmpty();

    identity.passes(Duration.ofHours(1));
    assertThat(tokens.check(launcher)).isEmpty();
    assertThat(tokens.sweep()).isEqualTo(1);
    assertThat(tokens.check(application)).isPresent();
  }

  @Test
  void aRevokedTokenEndsAtOnce() {
    Secret token = tokens.issue("ada", Duration.ofHours(1));
    tokens.revoke(token);
    assertThat(tokens.check(token)).isEmpty();
  }

  @Test
  void theDatabaseNeverSeesTheTokenItself() throws SQLException {
    Secret token = tokens.issue("ada", Duration.ofHours(1));
    try (var connection = identity.database().getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("select token_hash from join_token")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getString(1)).matches("[0-9a-f]{64}").doesNotContain(token.reveal());
    }
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> tokens.issue("ada", Duration.ZERO))
        .isInstanceOf(SecurityRefusal.class);
    assertThatThrownBy(() -> tokens.issue("ada", Duration.ofDays(1000)))
        .isInstanceOf(SecurityRefusal.class);
    assertThatThrownBy(() -> tokens.issue(PoolRole.NODE, "ada", Duration.ofDays(1)))
        .hasMessageContaining("choose device, browser or application");
    assertThatThrownBy(() -> tokens.issue("a b", Duration.ofDays(1)))
        .isInstanceOf(SecurityRefusal.class);
  }
}

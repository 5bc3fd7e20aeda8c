package io.gleaner.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityLog;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApiTokensTest {
  private static final String PASSWORD = "correct horse battery";

  @Test
  void aTokenStandsForItsUserUntilItExpiresOrIsRevoked() throws SQLException {
    TestIdentity identity = TestIdentity.fresh();
    User ada =
        new Users(identity.database(), identity)
            .create("ada", Role.SUBMITTER, Secret.of("correct horse battery"));
    ApiTokens tokens = new ApiTokens(identity.database(), identity);
    Secret token = tokens.issue("ada", Duration.ofHours(1));
    Secret other = tokens.issue("ada", Duration.ofDays(1));

    assertThat(tokens.check(token)).contains(new ApiToken.Bearer(ada, TokenScope.FULL));
    assertThat(tokens.check(Secret.random())).isEmpty();

    identity.passes(Duration.ofHours(1));
    assertThat(tokens.check(token)).isEmpty();
    assertThat(tokens.check(other)).map(ApiToken.Bearer::user).contains(ada);
    tokens.revoke(Actor.NODE, tokens.find(other).orElseThrow());
    assertThat(tokens.check(other)).isEmpty();
    assertThatThrownBy(() -> tokens.issue("nobody", Duration.ofHours(1)))
        .isInstanceOf(SecurityRefusal.class);
  }

  @Test
  void aLabelIsOneLineThatEverybodySees() throws SQLException {
    TestIdentity identity = withAda();
    ApiTokens tokens = new ApiTokens(identity.database(), identity);
    for (String label : List.of("a\r\nb", "a\u001b[2J", "a\u2028b", "a\u202eb", "a\u0000")) {
      assertThatThrownBy(
              () -> tokens.issue(Actor.NODE, "ada", TokenScope.READ, label, Duration.ofDays(1)))
          .isInstanceOf(SecurityRefusal.class)
          .hasMessageContaining("printable characters of one line");
    }
  }

  @Test
  void aTokenIsListedByItsIdUnderItsLabelAndNeverItself() throws SQLException {
    TestIdentity identity = withAda();
    ApiTokens tokens = new ApiTokens(identity.database(), identity);
    Actor ada = new Actor("ada", "10.0.0.1");
    Secret token = tokens.issue(ada, "ada", TokenScope.READ, "plots", Duration.ofDays(2));
    identity.passes(Duration.ofHours(1));
    Secret second = tokens.issue(ada, "ada", TokenScope.SUBMIT, "", Duration.ofDays(1));

    assertThat(tokens.list("ada")).extracting(ApiToken::label).containsExactly("", "plots");
    ApiToken known = tokens.list("ada").get(1);
    assertThat(tokens.find(token)).contains(known);
    assertThat(tokens.find(known.id())).contains(known);
    assertThat(tokens.find("%")).isEmpty();
    assertThat(tokens.list("ada").toString()).doesNotContain(token.reveal());
    identity.passes(Duration.ofDays(1));
    assertThat(tokens.list("ada")).containsExactly(known);

    tokens.revoke(ada, known);
    tokens.revoke(ada, known);
    List<SecurityLog.Entry> log =
        new SecurityLog(identity.database(), identity).newest(Long.MAX_VALUE, 9);
    assertThat(log)
        .extracting(entry -> entry.event().deed())
        .containsExactly(
            Deed.API_TOKEN_REVOKED, Deed.API_TOKEN_ISSUED, Deed.API_TOKEN_ISSUED, Deed.USER_ADDED);
    assertThat(log.get(1).event().by()).isEqualTo(ada);
    assertThat(log.toString())
        .contains(known.id(), "scope=READ")
        .doesNotContain(token.reveal(), second.reveal(), PASSWORD);
  }

  @Test
  void tokensOfAUserAreBoundedAndThoseThatEndedAreGone() throws SQLException {
    TestIdentity identity = withAda();
    ApiTokens tokens = new ApiTokens(identity.database(), identity);
    for (int i = 0; i < 100; i++) {
      tokens.issue("ada", Duration.ofHours(1));
    }
    assertThatThrownBy(() -> tokens.issue("ada", Duration.ofHours(1)))
        .hasMessageContaining("revoke one");
    identity.passes(Duration.ofHours(1));
    tokens.issue("ada", Duration.ofHours(1));
    assertThat(tokens.list("ada")).hasSize(1);
  }

  @Test
  void aScopeTakesAwayAndNeverAdds() {
    User admin = new User("admin", EnumSet.allOf(Role.class));
    ApiToken.Bearer submits = new ApiToken.Bearer(admin, TokenScope.SUBMIT);
    assertThat(submits.user().roles()).containsExactlyInAnyOrder(Role.OWNER, Role.SUBMITTER);
    User auditor = new User("eve", Role.AUDITOR);
    assertThat(new ApiToken.Bearer(auditor, TokenScope.SUBMIT).user().roles()).isEmpty();
    assertThat(new ApiToken.Bearer(admin, TokenScope.READ).user()).isEqualTo(admin);
    for (Action action : Action.values()) {
      boolean reads = action == Action.READ || action == Action.HEAR;
      assertThat(TokenScope.READ.allows(action, Thing.every(Thing.BAG))).isEqualTo(reads);
      assertThat(TokenScope.SUBMIT.allows(action, Thing.every(Thing.API_TOKEN))).isEqualTo(reads);
      assertThat(TokenScope.SUBMIT.allows(action, Thing.every(Thing.BAG))).isTrue();
      assertThat(TokenScope.FULL.allows(action, Thing.every(Thing.ROLES))).isTrue();
    }
  }

  private static TestIdentity withAda() throws SQLException {
    TestIdentity identity = TestIdentity.fresh();
    new Users(identity.database(), identity).create("ada", Role.SUBMITTER, Secret.of(PASSWORD));
    return identity;
  }
}

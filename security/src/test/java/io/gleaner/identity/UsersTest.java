package io.gleaner.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UsersTest {
  private static final Secret RIGHT = Secret.of("correct horse battery");
  private static final Secret WRONG = Secret.of("incorrect horse battery");

  private TestIdentity identity;
  private Users users;

  @BeforeEach
  void aNodeWithoutUsers() throws SQLException {
    identity = TestIdentity.fresh();
    users = new Users(identity.database(), identity);
  }

  @Test
  void theFirstUserGetsEveryRoleAndAGeneratedPasswordOnce() {
    Secret password = users.createFirst("admin").orElseThrow();

    assertThat(users.createFirst("admin")).isEmpty();
    assertThat(users.signIn("admin", password)).isPresent();
    assertThat(users.find("admin").orElseThrow().roles()).isEqualTo(EnumSet.allOf(Role.class));
  }

  @Test
  void aUserSignsInByThePasswordAndNoOther() {
    users.create("ada", Set.of(Role.OWNER, Role.SUBMITTER), RIGHT);

    assertThat(users.signIn("ada", RIGHT))
        .contains(new User("ada", Set.of(Role.OWNER, Role.SUBMITTER)));
    assertThat(users.signIn("ada", WRONG)).isEmpty();
    assertThat(users.signIn("bob", RIGHT)).isEmpty();
  }

  @Test
  void thePasswordIsKeptOnlyAsAnArgon2idHash() throws SQLException {
    users.create("ada", Role.OWNER, RIGHT);
    try (var connection = identity.database().getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("select password_hash from identity_user")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getString(1)).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
    }
  }

  @Test
  void guessingIsSlowedDownForExistingAndOtherNamesAlike() {
    users.create("ada", Role.OWNER, RIGHT);
    for (String name : new String[] {"ada", "nobody"}) {
      for (int i = 0; i < 5; i++) {
        assertThat(users.signIn(name, WRONG)).isEmpty();
      }
      assertThatThrownBy(() -> users.signIn(name, RIGHT))
          .isInstanceOfSatisfying(
              SecurityRefusal.class, e -> assertThat(e.code()).isEqualTo(Code.THROTTLED))
          .hasMessageContaining("try again in");
    }

    identity.passes(Duration.ofSeconds(2));
    assertThat(users.signIn("ada", RIGHT)).isPresent();
    assertThat(users.signIn("ada", WRONG)).isEmpty();
    assertThat(users.signIn("ada", RIGHT)).as("success starts afresh").isPresent();
  }

  @Test
  void theWaitDoublesUpToAQuarterOfAnHour() {
    SignInThrottle throttle = new SignInThrottle(identity);
    for (int i = 0; i < 40; i++) {
      throttle.begin("ada");
      identity.passes(Duration.ofMinutes(15));
    }
    throttle.begin("ada");
    assertThatThrownBy(() -> throttle.begin("ada")).hasMessageContaining("901 s");
  }

  @Test
  void aChangedPasswordReplacesTheOld() {
    users.create("ada", Role.OWNER, RIGHT);
    users.changePassword("ada", WRONG);
    assertThat(users.signIn("ada", RIGHT)).isEmpty();
    assertThat(users.signIn("ada", WRONG)).isPresent();
  }

  @Test
  void aNameIsGivenOnce() {
    users.create("ada", Role.OWNER, RIGHT);
    assertThatThrownBy(() -> users.create("ada", Role.OPERATOR, WRONG))
        .isInstanceOfSatisfying(
            SecurityRefusal.class, e -> assertThat(e.code()).isEqualTo(Code.USER_EXISTS));
    assertThat(users.list()).containsExactly(new User("ada", Role.OWNER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<script>", "a b", "-x", "x/y"})
  void aNameThatCouldHurtIsRefused(String name) {
    assertThatThrownBy(() -> users.create(name, Role.OWNER, RIGHT))
        .isInstanceOf(SecurityRefusal.class);
    assertThat(users.signIn(name, RIGHT)).isEmpty();
  }

  @Test
  void aShortPasswordIsRefusedWithoutShowingIt() {
    assertThatThrownBy(() -> users.create("ada", Role.OWNER, Secret.of("tiny")))
        .hasMessageContaining("12 to 256")
        .hasMessageNotContaining("tiny");
  }
}

package io.gleaner.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.audit.Actor;
import io.gleaner.audit.SecurityLog;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
    users = new Users(identity.database(), identity, identity::nanos);
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
    SignInThrottle throttle = new SignInThrottle(identity::nanos);
    for (int i = 0; i < 40; i++) {
      throttle.begin("ada");
      identity.passes(Duration.ofMinutes(15));
    }
    throttle.begin("ada");
    assertThatThrownBy(() -> throttle.begin("ada")).hasMessageContaining("901 s");
  }

  @Test
  @Tag("S10")
  void manyNamesFromOneAddressWait() {
    users.create("ada", Role.OWNER, RIGHT);
    for (int i = 0; i < AddressThrottle.AT_ONCE; i++) {
      if (i % 25 == 0) {
        assertThat(users.signIn("ada", RIGHT, "192.0.2.7")).as("right, so free").isPresent();
      }
      assertThat(users.signIn("name" + i, WRONG, "192.0.2.7")).isEmpty();
    }
    assertThatThrownBy(() -> users.signIn("ada", RIGHT, "192.0.2.7"))
        .isInstanceOfSatisfying(
            SecurityRefusal.class, e -> assertThat(e.code()).isEqualTo(Code.THROTTLED))
        .hasMessageContaining("from this address");
    assertThat(users.signIn("ada", RIGHT, "192.0.2.8")).as("others go on").isPresent();

    identity.passes(AddressThrottle.ONE_MORE);
    assertThat(users.signIn("ada", RIGHT, "192.0.2.7")).isPresent();
  }

  @Test
  @Tag("S10")
  void anIpv6NetworkCountsAsOneAddressAndMemoryIsBounded() {
    AddressThrottle throttle = new AddressThrottle(identity::nanos);
    for (int i = 0; i < AddressThrottle.AT_ONCE; i++) {
      throttle.begin("2001:db8:0:1:0:0:0:" + i);
    }
    assertThatThrownBy(() -> throttle.begin("2001:db8:0:1:f:f:f:f"))
        .hasMessageContaining("try again in 7 s");
    throttle.begin("2001:db8:0:2:0:0:0:1");
    for (int i = 0; i < 10_000; i++) {
      throttle.begin("host" + i);
    }
    throttle.begin("2001:db8:0:1:f:f:f:f"); // forgotten for the others
  }

  @Test
  @Tag("S10")
  void aClockThatIsSetBackLocksNobodyOut() {
    users.create("ada", Role.OWNER, RIGHT);
    assertThat(users.signIn("ada", RIGHT, "192.0.2.7")).isPresent();
    assertThat(users.signIn("ada", WRONG, "192.0.2.7")).isEmpty();
    identity.jumps(Duration.ofHours(-1));
    assertThat(users.signIn("ada", RIGHT, "192.0.2.7")).isPresent();

    for (int i = 0; i < 5; i++) {
      assertThat(users.signIn("ada", WRONG, "192.0.2.7")).isEmpty();
    }
    identity.jumps(Duration.ofHours(1));
    assertThatThrownBy(() -> users.signIn("ada", RIGHT, "192.0.2.7"))
        .as("nor does a clock that is set forward open")
        .hasMessageContaining("try again in 2 s");
    identity.jumps(Duration.ofHours(-2));
    identity.passes(Duration.ofSeconds(1));
    assertThat(users.signIn("ada", RIGHT, "192.0.2.7")).isPresent();
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

  @Test
  void whatIsDoneToUsersIsInTheLogWithoutAnySecret() throws java.sql.SQLException {
    TestIdentity identity = TestIdentity.fresh();
    Users users = new Users(identity.database(), identity);
    Actor olga = new Actor("olga", "10.0.0.1");
    users.create(olga, "olga", Set.of(Role.OPERATOR), Secret.of("correct horse battery"));
    users.changeRoles(olga, "olga", Set.of(Role.OPERATOR, Role.AUDITOR));
    users.changePassword(olga, "olga", Secret.of("another horse battery"));
    assertThat(users.version("olga")).contains(2L);
    assertThat(users.version("nobody")).isEmpty();
    assertThat(users.signIn("olga", Secret.of("another horse battery"), "10.0.0.2")).isPresent();
    assertThat(users.signIn("olga", Secret.of("wrong horse battery"), "10.0.0.3")).isEmpty();
    assertThat(users.signIn("hunter2", Secret.of("whatever else"), "10.0.0.4")).isEmpty();

    List<SecurityLog.Entry> log =
        new SecurityLog(identity.database(), identity).newest(Long.MAX_VALUE, 9);
    assertThat(log)
        .extracting(entry -> entry.event().deed() + " " + entry.event().outcome())
        .containsExactly(
            "SIGN_IN REFUSED",
            "SIGN_IN REFUSED",
            "SIGN_IN DONE",
            "PASSWORD_CHANGED DONE",
            "ROLES_CHANGED DONE",
            "USER_ADDED DONE");
    assertThat(log.get(1).event().subject()).isEqualTo("olga");
    assertThat(log.get(0).event().by()).isEqualTo(Actor.unknown("10.0.0.4"));
    assertThat(log.toString()).doesNotContain("horse", "hunter2", "argon2");
  }

  @Test
  void anOperatorIsAlwaysLeft() throws java.sql.SQLException {
    TestIdentity identity = TestIdentity.fresh();
    Users users = new Users(identity.database(), identity);
    users.create("olga", Role.OPERATOR, Secret.of("correct horse battery"));
    users.create("ada", Role.OWNER, Secret.of("correct horse battery"));
    assertThatThrownBy(() -> users.changeRoles(Actor.NODE, "olga", Set.of(Role.OWNER)))
        .hasMessageContaining("no operator would be left");
    assertThat(users.find("olga").orElseThrow().is(Role.OPERATOR)).isTrue();
    users.changeRoles(Actor.NODE, "ada", Set.of(Role.OPERATOR));
    users.changeRoles(Actor.NODE, "olga", Set.of());
    assertThat(users.find("olga").orElseThrow().roles()).isEmpty();
    assertThatThrownBy(() -> users.changeRoles(Actor.NODE, "nobody", Set.of()))
        .hasMessageContaining("no such user");
  }
}

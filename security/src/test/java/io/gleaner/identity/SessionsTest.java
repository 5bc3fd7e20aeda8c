package io.gleaner.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.secrets.Secret;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SessionsTest {
  private static final User ADA = new User("ada", Role.OWNER);
  private static final User BOB = new User("bob", Role.AUDITOR);

  private TestIdentity clock;
  private Sessions sessions;

  @BeforeEach
  void sessionsOfTenIdleMinutesAndAnHour() throws SQLException {
    clock = TestIdentity.fresh();
    sessions = new Sessions(clock, Duration.ofMinutes(10), Duration.ofHours(1), 4, 3);
  }

  @Test
  void aSessionLivesWhileItIsUsedButNotForEver() {
    Sessions.Session session = sessions.begin(ADA, 0);
    for (int i = 0; i < 6; i++) {
      assertThat(sessions.find(session.id())).contains(session);
      clock.passes(Duration.ofMinutes(9));
    }
    clock.passes(Duration.ofMinutes(6));
    assertThat(sessions.find(session.id())).isEmpty();
    assertThat(sessions.count()).isZero();
  }

  @Test
  void anIdleSessionEnds() {
    Sessions.Session session = sessions.begin(ADA, 0);
    clock.passes(Duration.ofMinutes(10));
    assertThat(sessions.find(session.id())).isEmpty();
  }

  @Test
  @Tag("S3")
  void whoSignsInOftenEndsTheirOwnSessionsOnly() {
    Sessions.Session bobs = sessions.begin(BOB, 0);
    Sessions.Session first = sessions.begin(ADA, 0);
    Sessions.Session second = sessions.begin(ADA, 0);
    sessions.begin(ADA, 0);
    assertThat(sessions.find(first.id())).isPresent();
    sessions.begin(ADA, 0);

    assertThat(sessions.find(second.id())).as("the longest unused of ada's").isEmpty();
    assertThat(sessions.find(first.id())).isPresent();
    for (int i = 0; i < 10; i++) {
      sessions.begin(ADA, 0);
    }
    assertThat(sessions.find(bobs.id())).isPresent();
    assertThat(sessions.count()).isEqualTo(4);
  }

  @Test
  @Tag("S3")
  void inAFullRoomTheLongestUnusedOfWhoHasTheMostGoes() {
    Sessions.Session bobs = sessions.begin(BOB, 0);
    Sessions.Session first = sessions.begin(ADA, 0);
    Sessions.Session second = sessions.begin(ADA, 0);
    Sessions.Session third = sessions.begin(ADA, 0);
    Sessions.Session cys = sessions.begin(new User("cy", Role.OWNER), 0);

    assertThat(sessions.find(first.id())).isEmpty();
    for (Sessions.Session stays : List.of(bobs, second, third, cys)) {
      assertThat(sessions.find(stays.id())).contains(stays);
    }
  }

  @Test
  void whatIsOverTakesNoRoom() {
    sessions.begin(ADA, 0);
    clock.passes(Duration.ofMinutes(10));
    sessions.begin(BOB, 0);
    assertThat(sessions.count()).isEqualTo(1);
  }

  @Test
  void signingOutEndsOneOrAll() {
    Sessions.Session here = sessions.begin(ADA, 0);
    Sessions.Session there = sessions.begin(ADA, 0);
    Sessions.Session other = sessions.begin(BOB, 0);
    sessions.end(here.id());
    assertThat(sessions.find(here.id())).isEmpty();
    sessions.endAllOf("ada");
    assertThat(sessions.find(there.id())).isEmpty();
    assertThat(sessions.find(other.id())).isPresent();
  }

  @Test
  void theCsrfTokenIsTheSessionsOwn() {
    Sessions.Session session = sessions.begin(ADA, 0);
    assertThat(Sessions.isCsrfOf(session, session.csrf().reveal())).isTrue();
    assertThat(Sessions.isCsrfOf(session, session.id().reveal())).isFalse();
    assertThat(Sessions.isCsrfOf(session, "")).isFalse();
    assertThat(sessions.find(Secret.random())).isEmpty();
  }
}

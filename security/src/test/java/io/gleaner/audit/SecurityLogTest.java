package io.gleaner.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.identity.TestIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SecurityLogTest {
  private TestIdentity identity;
  private SecurityLog log;

  @BeforeEach
  void open() throws SQLException {
    identity = TestIdentity.fresh();
    log = identity.log();
  }

  @Test
  void linesAreNumberedAndReadNewestFirst() throws SQLException {
    signsIn("ada");
    identity.passes(Duration.ofMinutes(1));
    log.record(SecurityEvent.refused(Deed.SIGN_IN, Actor.unknown("10.0.0.9"), "ada", "password"));
    signsIn("bea");

    List<SecurityLog.Entry> newest = log.newest(Long.MAX_VALUE, 2);
    assertThat(newest).extracting(SecurityLog.Entry::line).containsExactly(3L, 2L);
    assertThat(newest.get(1).event().outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(newest.get(1).event().by()).isEqualTo(new Actor("-", "10.0.0.9"));
    assertThat(newest.get(1).at()).isEqualTo(identity.instant());
    assertThat(log.newest(2, 10)).hasSize(1);
    assertThat(broken()).isEmpty();
  }

  @Test
  void aLineIsPlainTextOfALimitedLength() throws SQLException {
    log.record(
        SecurityEvent.done(
            Deed.SIGN_IN,
            new Actor("a\nb", "x".repeat(500)),
            "a\u0000b\\",
            "\ud83d\ude00 \u00e4\u202e\u2028\u2029\u009b"));
    SecurityEvent written = log.newest(Long.MAX_VALUE, 1).get(0).event();
    assertThat(written.by().name()).isEqualTo("a?b");
    assertThat(written.by().from()).hasSize(100);
    assertThat(written.subject()).isEqualTo("a?b\\");
    assertThat(written.detail()).isEqualTo("?? \u00e4????");
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatIsRolledBackIsNotInTheLog() throws SQLException {
    signsIn("ada");
    try (Connection connection = identity.database().getConnection()) {
      connection.setAutoCommit(false);
      log.record(connection, SecurityEvent.done(Deed.USER_ADDED, Actor.NODE, "bea", ""));
      connection.rollback();
    }
    signsIn("ada");
    assertThat(log.newest(Long.MAX_VALUE, 9)).hasSize(2);
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatWasDoneToItIsFoundWithItsLine() throws SQLException {
    for (int i = 0; i < 6; i++) {
      signsIn("user" + i);
    }
    assertThat(broken()).isEmpty();

    tamper("update security_log set subject = 'mallory' where line = 2");
    assertThat(broken())
        .containsExactly("line 2 was changed or moved: its content is not what was hashed");
    tamper("update security_log set subject = 'user1' where line = 2");

    tamper("update security_log set line = 40 where line = 4");
    tamper("update security_log set line = 4 where line = 5");
    tamper("update security_log set line = 5 where line = 40");
    assertThat(broken())
        .extracting(found -> found.substring(0, 6))
        .containsExactly("line 4", "line 5", "line 6");
    tamper("update security_log set line = 40 where line = 5");
    tamper("update security_log set line = 5 where line = 4");
    tamper("update security_log set line = 4 where line = 40");
    assertThat(broken()).isEmpty();

    tamper("delete from security_log where line = 6");
    assertThat(broken()).containsExactly("the last line is 5, but line 6 was written");
    tamper("delete from security_log where line in (2, 3)");
    assertThat(broken()).contains("lines 2 to 3 are missing");
  }

  @Test
  void aLineThatWasHashedAnewDoesNotFit() throws SQLException {
    signsIn("ada");
    signsIn("bea");
    signsIn("cy");
    try (Connection connection = identity.database().getConnection()) {
      ChainLine second = SecurityLog.CHAIN.after(connection, 1, 1).get(0);
      List<String> content = new ArrayList<>(second.content());
      content.set(5, "mallory");
      tamper(
          "update security_log set subject = 'mallory', hash = '"
              + ChainLine.hash(second.previousHash(), 2, content)
              + "' where line = 2");
    }
    assertThat(broken()).containsExactly("line 3 does not follow line 2: that was replaced");
  }

  @Test
  void noTwoContentsAreWrittenAlike() {
    assertThat(ChainLine.hash("", 1, List.of("a\nb")))
        .isNotEqualTo(ChainLine.hash("", 1, List.of("a", "b")))
        .isNotEqualTo(ChainLine.hash("", 1, List.of("a\\nb")));
  }

  @Test
  void withoutItsHeadNothingIsWritten() throws SQLException {
    tamper("delete from security_log_head");
    assertThatThrownBy(() -> signsIn("ada")).hasMessageContaining("backup");
    assertThat(broken()).containsExactly("the head does not name line 0, the last one");
  }

  private void signsIn(String user) {
    log.record(SecurityEvent.done(Deed.SIGN_IN, new Actor(user, "127.0.0.1"), user, ""));
  }

  private List<String> broken() throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = identity.database().getConnection()) {
      ChainWalk walk = new ChainWalk();
      for (ChainLine line : SecurityLog.CHAIN.after(connection, 0, 1000)) {
        walk.step(line).ifPresent(found::add);
      }
      Optional<String> end = walk.end(SecurityLog.CHAIN.head(connection));
      end.ifPresent(found::add);
    }
    return found;
  }

  private void tamper(String statement) throws SQLException {
    assertThat(identity.execute(statement)).isPositive();
  }
}

package io.gleaner.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.ledger.LedgerException;
import io.gleaner.storage.StorageException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a caller is told of a failure. */
class ProblemTest {
  private static LedgerException because(SQLException cause) {
    return new LedgerException(LedgerException.Code.STORAGE, "the database refused", cause);
  }

  @Test
  void aDatabaseThatIsAwayIsNoFaultOfTheConsole() {
    List<SQLException> away =
        List.of(
            new SQLException("An I/O error occurred while sending to the backend", "08006"),
            new SQLException("the database system is starting up", "57P03"),
            new SQLTransientConnectionException("Connection is not available"));
    for (SQLException each : away) {
      Problem problem = Problem.of(because(each));
      assertThat(problem.status()).isEqualTo(503);
      assertThat(problem.code()).isEqualTo("unavailable");
      assertThat(problem.detail()).contains("does not answer").contains("try again");
      assertThat(problem.isInternal()).isFalse();
    }
    StorageException closed =
        new StorageException(StorageException.Code.UNUSABLE, "away", away.get(0));
    assertThat(Problem.of(new IllegalStateException(closed)).status()).isEqualTo(503);
  }

  @Test
  void aStatementThatIsWrongIsOne() {
    Problem problem = Problem.of(because(new SQLException("no such column", "42703")));
    assertThat(problem.status()).isEqualTo(500);
    assertThat(problem.isInternal()).isTrue();
    assertThat(problem.detail()).doesNotContain("column");
  }
}

package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.node.GleanerCommand.Ran;
import io.gleaner.node.NodeSettings.Keeping;
import io.gleaner.node.NodeSettings.Listening;
import io.gleaner.signing.SignerKey;
import io.gleaner.storage.Database;
import io.gleaner.storage.Schema;
import io.gleaner.storage.ServerSettings;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody changes the database of a real node, which runs or is stopped; the command says it. */
@Timeout(240)
class AuditCommandTest {
  @TempDir private Path folder;

  @Test
  void ofANodeInItsFolder() throws Exception {
    Home home = new Home(folder.resolve("node"));
    Path kept = folder.resolve("kept");
    try (Node node = start(home, settings -> settings)) {
      node.newUser("ada", Set.of());
      Ran running = audit("verify");
      assertThat(running.exitCode()).as(running.err()).isZero();
      assertThat(running.out())
          .contains("ledger    2 lines, signed up to line 1")
          .contains("nothing was changed")
          .containsPattern("signed by [0-9a-f]{64}");
      Files.writeString(kept, audit("checkpoint").out());
      assertThat(audit("log").out()).startsWith("LINE");
    }
    String signer = SignerKey.read(home.auditKey()).signer().hex();
    assertThat(audit("verify", "--signer", signer).exitCode()).isZero();
    Ran stopped = audit("verify");
    assertThat(stopped.exitCode()).as(stopped.err()).isZero();
    assertThat(stopped.out()).contains("ledger    2 lines, signed up to line 2");

    try (Database database = Database.open(StorageSettings.in(home.database()))) {
      tamper(database, "update ledger_line set micros = 5 where posting = 1 and side = 1");
    }
    Ran found = audit("verify");
    assertThat(found.exitCode()).isEqualTo(1);
    assertThat(found.out()).contains("line 1 was changed", "this is not what was written");

    try (Database database = Database.open(StorageSettings.in(home.database()))) {
      tamper(database, "delete from ledger_line");
      tamper(database, "delete from ledger_posting");
      tamper(database, "delete from chain_checkpoint");
    }
    Files.delete(home.checkpoints());
    assertThat(audit("verify").out()).contains("are covered by no checkpoint");
    Ran bare = audit("verify", "--signer", signer);
    assertThat(bare.out()).contains("security", "no checkpoint in the database is signed by");
    assertThat(bare.exitCode()).isEqualTo(1);
    assertThat(audit("verify", "--checkpoint", kept.toString()).out())
        .contains("the end was cut off");
    assertThat(audit("verify", "--signer", "nonsense").exitCode()).isEqualTo(2);
  }

  @Test
  void ofANodeOnPostgresql() throws Exception {
    try (PostgresProcess postgres = PostgresProcess.start()) {
      ServerSettings server = ServerSettings.of(postgres.url(), "gleaner", Optional.empty());
      Home home = new Home(folder.resolve("node"));
      start(home, settings -> settings.with(Keeping.on(server))).close();
      String[] verify = {
        "verify", "--database", postgres.url(), "--database-user", "gleaner", "--json"
      };
      Ran clean = audit(verify);
      assertThat(clean.exitCode()).as(clean.err()).isZero();
      assertThat(clean.json().path("audit").path("chains").get(0).path("signedLine").asInt())
          .isEqualTo(1);
      try (Database database = Database.connect(server, Schema.NODE)) {
        tamper(database, "update ledger_posting set cause = 'grant:other' where id = 1");
      }
      Ran found = audit(verify);
      assertThat(found.exitCode()).isEqualTo(1);
      assertThat(found.out()).contains("line 1 was changed");
    }
  }

  private static Node start(Home home, UnaryOperator<NodeSettings> change) {
    return Node.start(change.apply(NodeSettings.in(home).with(Listening.on(0, 0))), sentence -> {});
  }

  private Ran audit(String... arguments) throws Exception {
    String[] all = new String[arguments.length + 1];
    all[0] = "audit";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return GleanerCommand.run(folder, folder.resolve("node"), all);
  }

  private static void tamper(Database database, String statement) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement sql = connection.createStatement()) {
      sql.executeUpdate(statement);
    }
  }
}

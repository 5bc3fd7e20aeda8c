package io.gleaner.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.audit.ChainReport.Finding;
import io.gleaner.identity.TestIdentity;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.Signer;
import io.gleaner.signing.SignerKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What signed checkpoints find that the chain by itself does not. */
@Timeout(60)
class NotaryTest {
  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir Path folder;
  private TestIdentity identity;
  private SecurityLog log;

  @BeforeEach
  void open() throws SQLException {
    identity = TestIdentity.fresh();
    log = identity.log();
  }

  @Test
  void theEndIsSignedWhenItMovedAndWhenTheNodeStops() throws SQLException {
    writes(3);
    try (Notary notary = notary()) {
      assertThat(report().signedLine()).isEqualTo(3);
      notary.sign();
      writes(2);
      assertThat(report().signedLine()).isEqualTo(3);
      assertThat(notary.sign()).extracting(Checkpoint::line).containsExactly(5L);
      writes(1);
    }
    assertThat(report().signedLine()).isEqualTo(6);
    assertThat(report().findings()).isEmpty();
    assertThat(report().signers()).containsExactly(signer());
    assertThat(count("select count(*) from chain_checkpoint")).isEqualTo(3);

    notary().close();
    assertThat(count("select count(*) from chain_checkpoint")).isEqualTo(3);
  }

  @Test
  void anEndThatWasCutOffWithItsHeadIsFoundByItsCheckpoint() throws SQLException {
    writes(4);
    notary().close();
    cutOffAfter(2);

    assertThat(findings(Evidence.NONE)).singleElement().asString().contains("up to 4", "cut off");
    // With the checkpoints in the database gone too, the file remains.
    update("delete from chain_checkpoint");
    assertThat(findings(Evidence.NONE)).isEmpty();
    assertThat(findings(kept())).singleElement().asString().contains("up to 4", "cut off");
  }

  @Test
  void aHistoryThatWasWrittenAnewIsFoundByItsCheckpoint() throws SQLException {
    writes(2);
    try (Notary notary = notary()) {
      writes(3);
      notary.sign();
    }
    rewrite(4);
    assertThat(findings(Evidence.NONE))
        .singleElement()
        .asString()
        .contains("line 5 is not what was signed", "between line 3 and it");
  }

  @Test
  void checkpointsOfSomebodyElseProveNothing() throws SQLException {
    writes(3);
    notary().close();
    rewrite(1);
    update("delete from chain_checkpoint");
    Notary.start(
            identity.database(),
            List.of(SecurityLog.CHAIN),
            folder.resolve("other-key"),
            folder.resolve("other-checkpoints"),
            identity,
            NEVER)
        .close();

    assertThat(findings(Evidence.NONE)).isEmpty();
    assertThat(findings(new Evidence(Set.of(signer()), List.of())))
        .singleElement()
        .asString()
        .contains("no checkpoint", signer().hex());
    assertThat(findings(kept())).singleElement().asString().contains("not what was signed");
  }

  @Test
  @Tag("S3")
  void aChainWithoutAnyCheckpointOfTheSignerIsFound() throws SQLException {
    notary().close();
    Evidence ours = new Evidence(Set.of(signer()), List.of());
    assertThat(findings(ours)).as("a chain without lines").isEmpty();
    writes(3);
    notary().close();
    assertThat(findings(ours)).isEmpty();

    cutOffAfter(2);
    update("delete from chain_checkpoint");
    assertThat(findings(ours))
        .singleElement()
        .asString()
        .contains("no checkpoint", signer().hex(), "leaves 2 lines");
    assertThat(report().signedLine()).isZero();
  }

  @Test
  void aCheckpointThatWasChangedIsToldAndDoesNotCount() throws SQLException {
    writes(3);
    notary().close();
    update("update chain_checkpoint set line = 2");
    assertThat(findings(Evidence.NONE))
        .singleElement()
        .asString()
        .contains("the checkpoint of line 2 is not signed by its signer");
  }

  @Test
  void whatDoesNotAgreeWithTheFileIsNotSigned() throws SQLException {
    writes(3);
    notary().close();
    cutOffAfter(1);
    identity.passes(Duration.ofMinutes(1));
    writes(5);
    try (Notary notary = notary()) {
      assertThat(notary.sign()).extracting(Checkpoint::line).containsExactly(3L);
    }
    assertThat(count("select max(line) from chain_checkpoint")).isEqualTo(3);
  }

  @Test
  void aCheckpointIsReadAsItWasWrittenAndNotOtherwise() throws SQLException {
    writes(1);
    notary().close();
    Checkpoint checkpoint = Notary.kept(folder.resolve("checkpoints")).get(0);
    assertThat(Checkpoint.decode(checkpoint.encode())).isEqualTo(checkpoint);
    assertThat(Checkpoint.decodeAll(checkpoint.encode() + checkpoint.encode())).hasSize(2);
    for (String wrong :
        List.of(
            checkpoint.encode().replace("line: 1", "line: 2"),
            checkpoint.encode().replace("security", "ledger"),
            checkpoint.encode() + "more: 1\n",
            checkpoint.encode().replace("gleaner-checkpoint: 1", "gleaner-checkpoint: 2"),
            "x",
            "")) {
      assertThatThrownBy(() -> Checkpoint.decode(wrong)).isInstanceOf(SecurityRefusal.class);
    }
    assertThat(Files.exists(folder.resolve("audit-key"))).isTrue();
  }

  private Notary notary() {
    return Notary.start(
        identity.database(),
        List.of(SecurityLog.CHAIN),
        folder.resolve("audit-key"),
        folder.resolve("checkpoints"),
        identity,
        NEVER);
  }

  private Signer signer() {
    return SignerKey.read(folder.resolve("audit-key")).signer();
  }

  private Evidence kept() {
    return new Evidence(Set.of(), Notary.kept(folder.resolve("checkpoints")));
  }

  private void writes(int lines) {
    for (int i = 0; i < lines; i++) {
      log.record(SecurityEvent.done(Deed.SIGN_OUT, new Actor("ada", "127.0.0.1"), "ada", ""));
    }
  }

  private ChainReport report() throws SQLException {
    return report(Evidence.NONE);
  }

  private ChainReport report(Evidence evidence) throws SQLException {
    try (Connection connection = identity.database().getConnection()) {
      return ChainCheck.check(connection, SecurityLog.CHAIN, evidence);
    }
  }

  private List<String> findings(Evidence evidence) throws SQLException {
    return report(evidence).findings().stream().map(Finding::what).toList();
  }

  /** As somebody does who knows how the log is kept. */
  private void cutOffAfter(long line) throws SQLException {
    update("delete from security_log where line > " + line);
    update(
        "update security_log_head set line = "
            + line
            + ", hash = (select hash from security_log where line = "
            + line
            + ")");
  }

  /** Changes a line and hashes all that follow anew. */
  private void rewrite(long from) throws SQLException {
    try (Connection connection = identity.database().getConnection()) {
      String previous = null;
      for (ChainLine line : SecurityLog.CHAIN.after(connection, from - 1, 1000)) {
        List<String> content = new ArrayList<>(line.content());
        content.set(6, "rewritten");
        previous = previous == null ? line.previousHash() : previous;
        String hash = ChainLine.hash(previous, line.number(), content);
        update(
            "update security_log set detail = 'rewritten', previous_hash = '%s', hash = '%s' where line = %d"
                .formatted(previous, hash, line.number()));
        previous = hash;
      }
      update("update security_log_head set hash = '" + previous + "'");
    }
  }

  private void update(String statement) throws SQLException {
    assertThat(identity.execute(statement)).isPositive();
  }

  private long count(String query) throws SQLException {
    try (Connection connection = identity.database().getConnection();
        var sql = connection.createStatement();
        var rows = sql.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}

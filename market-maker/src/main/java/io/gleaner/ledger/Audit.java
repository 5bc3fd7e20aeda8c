package io.gleaner.ledger;

import io.gleaner.audit.ChainCheck;
import io.gleaner.audit.ChainReport;
import io.gleaner.audit.Evidence;
import io.gleaner.audit.SecurityLog;
import java.util.List;
import javax.sql.DataSource;

/**
 * What a check of everything that is chained found, on one moment of the database.
 *
 * @param chains the ledger, then the security log
 * @param violations what else is wrong with the money: balances, escrows
 */
public record Audit(List<ChainReport> chains, List<String> violations) {

  public Audit {
    chains = List.copyOf(chains);
    violations = List.copyOf(violations);
  }

  /**
   * Reads it all; may run beside writers.
   *
   * @throws LedgerException STORAGE if the database cannot be read
   */
  public static Audit of(DataSource database, Evidence evidence) {
    return Snapshot.read(
        database,
        connection ->
            new Audit(
                List.of(
                    ChainCheck.check(connection, SqlLedger.CHAIN, evidence),
                    ChainCheck.check(connection, SecurityLog.CHAIN, evidence)),
                Invariants.check(connection).stream()
                    .filter(violation -> violation.rule() != Invariants.Rule.CHAIN)
                    .map(violation -> violation.rule() + ": " + violation.detail())
                    .toList()));
  }

  /** Whether nothing is wrong. */
  public boolean isClean() {
    return violations.isEmpty() && chains.stream().allMatch(chain -> chain.findings().isEmpty());
  }
}

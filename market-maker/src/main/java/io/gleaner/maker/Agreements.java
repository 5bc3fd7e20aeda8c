package io.gleaner.maker;

import io.gleaner.storage.Transactions;
import io.gleaner.verification.Contracts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * What was agreed on, on disk while the bag is open: a result may be committed under the last
 * breath of its contract, and verified after a restart. Safe for all threads.
 */
final class Agreements implements Contracts {
  private final Transactions transactions;
  private final Map<String, Terms> known = new ConcurrentHashMap<>();

  Agreements(DataSource database) {
    this.transactions = new Transactions(database);
  }

  /** Returns when all are on disk; comes before anybody can see the contracts. */
  void put(Collection<Terms> agreed) {
    if (agreed.isEmpty()) {
      return;
    }
    run(
        "write agreements",
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement("INSERT INTO agreement VALUES (?, ?, ?, ?, ?)")) {
            for (Terms terms : agreed) {
              insert.setString(1, terms.contractId());
              insert.setString(2, terms.launcherId());
              insert.setString(3, terms.owner());
              insert.setString(4, terms.jobId());
              insert.setLong(5, terms.microsPerUnit());
              insert.addBatch();
            }
            return insert.executeBatch();
          }
        });
    agreed.forEach(terms -> known.put(terms.contractId(), terms));
  }

  @Override
  public Optional<Terms> find(String contractId) {
    Terms terms = known.get(contractId);
    if (terms != null) {
      return Optional.of(terms);
    }
    Optional<Terms> read = run("read an agreement", connection -> read(connection, contractId));
    read.ifPresent(each -> known.put(contractId, each));
    return read;
  }

  private static Optional<Terms> read(Connection connection, String contractId)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT launcher_id, owner, job_id, micros_per_unit FROM agreement"
                + " WHERE contract_id = ?")) {
      select.setString(1, contractId);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Terms(
                    contractId,
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getLong(4)))
            : Optional.empty();
      }
    }
  }

  /** Drops what belongs to bags that are not open: their results are dropped unpaid anyway. */
  void forget(Predicate<String> isOpen) {
    List<String> ended = new ArrayList<>(jobs());
    ended.removeIf(isOpen);
    for (String jobId : ended) {
      run(
          "remove agreements",
          connection -> {
            try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM agreement WHERE job_id = ?")) {
              delete.setString(1, jobId);
              return delete.executeUpdate();
            }
          });
    }
    known.values().removeIf(terms -> ended.contains(terms.jobId()));
  }

  private List<String> jobs() {
    return run(
        "read agreements",
        connection -> {
          try (PreparedStatement select =
                  connection.prepareStatement("SELECT DISTINCT job_id FROM agreement");
              ResultSet rows = select.executeQuery()) {
            List<String> jobs = new ArrayList<>();
            while (rows.next()) {
              jobs.add(rows.getString(1));
            }
            return jobs;
          }
        });
  }

  private <T> T run(String what, Transactions.Work<T> work) {
    try {
      return transactions.run(work);
    } catch (SQLException e) {
      throw new MakerException(
          MakerException.Code.STORAGE,
          "the database refused to " + what + ", the next round tries again: " + e.getMessage(),
          e);
    }
  }
}

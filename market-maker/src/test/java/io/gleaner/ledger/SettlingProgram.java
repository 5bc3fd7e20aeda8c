package io.gleaner.ledger;

import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Settles tasks, says so on its output after each, and halts. */
final class SettlingProgram {
  private SettlingProgram() {}

  /** Arguments: folder, tasks. */
  public static void main(String[] arguments) {
    int tasks = Integer.parseInt(arguments[1]);
    Database database = Database.open(StorageSettings.in(Path.of(arguments[0])));
    Ledger ledger =
        new SqlLedger(database.dataSource(), InstantSource.system(), new LedgerSettings(10));
    ledger.grant("alice", 1_000_000, "first");
    ledger.escrow("alice", "bag", 1_000_000);
    for (int task = 0; task < tasks; task++) {
      ledger.settle(List.of(new Ledger.Settlement("bag", task, 0, "bob", 1_000)), 0);
      System.out.println("acknowledged " + task);
    }
    System.out.flush();
    Runtime.getRuntime().halt(7);
  }
}

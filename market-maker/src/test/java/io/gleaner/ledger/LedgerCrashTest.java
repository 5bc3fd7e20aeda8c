package io.gleaner.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(90)
class LedgerCrashTest {
  private static final int TASKS = 100;
  @TempDir Path folder;

  @Test
  void everyAcknowledgedPaymentIsThereAfterTheProcessWasHalted() throws Exception {
    Path data = folder.resolve("data");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SettlingProgram.class.getName(),
                data.toString(),
                Integer.toString(TASKS))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    List<String> output = Files.readAllLines(folder.resolve("output"));
    assertThat(process.exitValue()).as("output: %s", output).isEqualTo(7);
    assertThat(output).contains("acknowledged " + (TASKS - 1));

    try (Database database = Database.open(StorageSettings.in(data))) {
      Ledger ledger =
          new SqlLedger(database.dataSource(), InstantSource.system(), LedgerSettings.defaults());
      assertThat(ledger.balance("owner/bob")).isEqualTo(TASKS * 990L);
      assertThat(ledger.balance("pool/fees")).isEqualTo(TASKS * 10L);
      assertThat(Invariants.check(database.dataSource())).isEmpty();
    }
  }
}

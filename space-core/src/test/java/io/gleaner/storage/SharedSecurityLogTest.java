package io.gleaner.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.audit.Actor;
import io.gleaner.audit.ChainCheck;
import io.gleaner.audit.ChainReport;
import io.gleaner.audit.Deed;
import io.gleaner.audit.Evidence;
import io.gleaner.audit.Notary;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The security log on both kinds of database, written and signed by several nodes at once. */
@Timeout(120)
class SharedSecurityLogTest {
  private static final int NODES = 4;
  private static final int EACH = 25;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void nodesThatWriteAtOnceWriteOneChain(TestStore store) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(NODES);
    try (Database database = TestStore.open(store.in(folder), Schema.NODE)) {
      SecurityLog log = new SecurityLog(database.dataSource(), InstantSource.system());
      List<Callable<Integer>> nodes = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        String name = "node" + node;
        nodes.add(
            () -> {
              try (Notary notary = notary(database, name)) {
                for (int i = 0; i < EACH; i++) {
                  log.record(
                      SecurityEvent.done(Deed.SIGN_IN, new Actor(name, "here"), "u" + i, ""));
                  notary.sign();
                }
                return EACH;
              }
            });
      }
      for (Future<Integer> written : threads.invokeAll(nodes)) {
        assertThat(written.get()).isEqualTo(EACH);
      }
      try (Connection connection = database.dataSource().getConnection()) {
        ChainReport report = ChainCheck.check(connection, SecurityLog.CHAIN, Evidence.NONE);
        assertThat(report.findings()).isEmpty();
        assertThat(report.lines()).isEqualTo(NODES * EACH);
        assertThat(report.signedLine()).isEqualTo(NODES * EACH);
        assertThat(report.signers()).hasSize(NODES);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Notary notary(Database database, String name) {
    return Notary.start(
        database.dataSource(),
        List.of(SecurityLog.CHAIN),
        folder.resolve(name + "-key"),
        folder.resolve(name + "-checkpoints"),
        InstantSource.system(),
        Duration.ofDays(1));
  }
}

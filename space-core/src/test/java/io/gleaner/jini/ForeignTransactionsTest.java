package io.gleaner.jini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.gateway.GatewayConnection;
import io.gleaner.gateway.TestGateway;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.Note;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.TransactionFactory;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionConstants;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.id.Uuid;
import net.jini.id.UuidFactory;
import net.jini.space.JavaSpace;
import net.jini.space.JavaSpace05;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The space takes part in transactions of River's own manager, beside River's own space. */
@Timeout(120)
class ForeignTransactionsTest {
  private static final long MINUTE = 60_000;
  private static HazelcastSpace engine;
  private static RiverPeer<TransactionManager> mahalo;
  private static RiverPeer<JavaSpace05> outrigger;

  private final Uuid id = UuidFactory.generate();
  private int port;
  private ForeignTransactions foreign;
  private TupleSpace space;

  @BeforeAll
  static void startPeers() throws Exception {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
    mahalo = RiverPeers.startMahalo();
    outrigger = RiverPeers.startOutrigger();
  }

  @AfterAll
  static void stopPeers() throws Exception {
    outrigger.close();
    mahalo.close();
    engine.close();
  }

  @BeforeEach
  void open(TestInfo test) throws Exception {
    port = portOfItsOwn();
    foreign = ForeignTransactions.start(engine, settings(1));
    space = SpaceClient.open(engine, test.getDisplayName(), "test", foreign);
  }

  @AfterEach
  void close() {
    space.close();
    foreign.close();
  }

  /**
   * The others of this process share a port, which would outlive a crash; and one that outgoing
   * connections are given could be taken meanwhile.
   */
  private static int portOfItsOwn() {
    while (true) {
      int candidate = 15_000 + ThreadLocalRandom.current().nextInt(15_000);
      try (ServerSocket free = new ServerSocket(candidate, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        // Somebody has it: another one.
      }
    }
  }

  /** Starts again where it was, as soon as the port is let go. */
  private void comesBack(long crashCount, int cells) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(RemoteException.class)
        .until(
            () -> {
              foreign = ForeignTransactions.resume(engine, settings(crashCount), cells);
              return true;
            });
  }

  private ForeignTransactions.Settings settings(long crashCount) {
    return new ForeignTransactions.Settings(
        new JeriAddress("127.0.0.1", port), id, crashCount, Duration.ofMillis(300));
  }

  @Test
  void whatItWritesIsSeenInsideOnlyUntilTheManagerCommits() throws Exception {
    Transaction transaction = begin(MINUTE);
    space.write(new Note("a", 1), transaction, Lease.FOREVER);
    assertThat(space.readIfExists(new Note("a", null), null, JavaSpace.NO_WAIT)).isNull();
    assertThat(space.readIfExists(new Note("a", null), transaction, JavaSpace.NO_WAIT)).isNotNull();
    transaction.commit(MINUTE);
    assertThat(space.take(new Note("a", null), null, JavaSpace.NO_WAIT)).isNotNull();
    nothingIsOpen();
  }

  @Test
  void bothSpacesCommitTogether() throws Exception {
    space.write(new Note("from us", 1), null, Lease.FOREVER);
    Transaction transaction = begin(MINUTE);
    Note moved = (Note) space.take(new Note("from us", null), transaction, JavaSpace.NO_WAIT);
    outrigger.proxy().write(moved, transaction, MINUTE);
    space.write(new Note("receipt", 1), transaction, Lease.FOREVER);
    transaction.commit(MINUTE);
    assertThat(outrigger.proxy().take(new Note("from us", null), null, MINUTE)).isNotNull();
    assertThat(space.readIfExists(new Note("from us", null), null, JavaSpace.NO_WAIT)).isNull();
    assertThat(space.take(new Note("receipt", null), null, JavaSpace.NO_WAIT)).isNotNull();
    nothingIsOpen();
  }

  @Test
  void bothSpacesAbortTogether() throws Exception {
    space.write(new Note("stays", 1), null, Lease.FOREVER);
    Transaction transaction = begin(MINUTE);
    Note moved = (Note) space.take(new Note("stays", null), transaction, JavaSpace.NO_WAIT);
    outrigger.proxy().write(moved, transaction, MINUTE);
    transaction.abort(MINUTE);
    assertThat(space.take(new Note("stays", null), null, MINUTE)).isNotNull();
    assertThat(outrigger.proxy().readIfExists(new Note("stays", null), null, JavaSpace.NO_WAIT))
        .isNull();
    nothingIsOpen();
  }

  @Test
  void anotherParticipantThatRefusesAbortsOurPart() throws Exception {
    Transaction transaction = begin(MINUTE);
    space.write(new Note("never", 1), transaction, Lease.FOREVER);
    try (Voter voter = Voter.joins(transaction, () -> TransactionConstants.ABORTED)) {
      assertThatThrownBy(() -> transaction.commit(MINUTE))
          .isInstanceOf(CannotCommitException.class);
    }
    nothingIsOpen();
    assertThat(space.readIfExists(new Note("never", null), null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void nobodyWaitsForADecisionThatIsMadeElsewhere() throws Exception {
    Transaction transaction = begin(MINUTE);
    space.write(new Note("undecided", 1), transaction, Lease.FOREVER);
    ForeignName name = nameOf(transaction);
    CompletableFuture<List<Entry>> found = new CompletableFuture<>();
    IntSupplier takesItsTime =
        () -> {
          Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> isPrepared(name));
          CompletableFuture.supplyAsync(this::looksForUndecided)
              .orTimeout(60, TimeUnit.SECONDS)
              .handle(
                  (seen, e) -> e == null ? found.complete(seen) : found.completeExceptionally(e))
              .join();
          return TransactionConstants.PREPARED;
        };
    try (Voter voter = Voter.joins(transaction, takesItsTime)) {
      transaction.commit(2 * MINUTE);
      assertThat(found.join()).hasSize(3).containsOnlyNulls();
      assertThat(voter.heard).contains("commit");
    }
    assertThat(space.take(new Note("undecided", null), null, MINUTE)).isNotNull();
  }

  private List<Entry> looksForUndecided() {
    Note template = new Note("undecided", null);
    try {
      List<Entry> seen = new ArrayList<>();
      seen.add(space.read(template, null, JavaSpace.NO_WAIT));
      seen.add(space.take(template, null, 50));
      seen.add(space.readIfExists(template, null, JavaSpace.NO_WAIT));
      return seen;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theManagersLeaseEndsOurPart() throws Exception {
    space.write(new Note("back", 1), null, Lease.FOREVER);
    Transaction transaction = begin(1_000);
    assertThat(space.take(new Note("back", null), transaction, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.take(new Note("back", null), null, MINUTE)).isNotNull();
    nothingIsOpen();
    assertThatThrownBy(() -> space.write(new Note("late", 1), transaction, Lease.FOREVER))
        .isInstanceOf(TransactionException.class);
  }

  @Test
  void clientsWithPartsOfTheirOwnMeetInOneTransaction() throws Exception {
    Transaction transaction = begin(MINUTE);
    space.write(new Note("shared", 1), transaction, Lease.FOREVER);
    var settings =
        new ForeignTransactions.Settings(
            JeriAddress.loopback(), UuidFactory.generate(), 1, Duration.ofMillis(300));
    try (ForeignTransactions second = ForeignTransactions.start(engine, settings);
        TupleSpace other =
            SpaceClient.open(
                engine, "clientsWithPartsOfTheirOwnMeetInOneTransaction()", "other", second)) {
      assertThat(other.readIfExists(new Note("shared", null), transaction, JavaSpace.NO_WAIT))
          .isNotNull();
      transaction.commit(MINUTE);
      assertThat(other.take(new Note("shared", null), null, JavaSpace.NO_WAIT)).isNotNull();
    }
  }

  @Test
  void aCrashBetweenPrepareAndCommitEndsAsTheManagerDecided() throws Exception {
    Transaction transaction = begin(MINUTE);
    space.write(new Note("prepared", 1), transaction, Lease.FOREVER);
    ForeignName name = nameOf(transaction);
    IntSupplier crash =
        () -> {
          // So long that the manager has heard the vote: else it asks for it until we are back.
          Awaitility.await()
              .during(Duration.ofSeconds(1))
              .atMost(Duration.ofSeconds(60))
              .until(() -> isPrepared(name));
          foreign.close();
          return TransactionConstants.PREPARED;
        };
    try (Voter voter = Voter.joins(transaction, crash)) {
      transaction.commit();
      CompletableFuture<Entry> found = CompletableFuture.supplyAsync(this::takesPrepared);
      comesBack(1, SpaceSettings.defaults().partitions());
      assertThat(found.get(60, TimeUnit.SECONDS)).isNotNull();
      nothingIsOpen();
      assertThat(voter.heard).containsExactly("commit");
    }
  }

  private boolean isPrepared(ForeignName name) throws Exception {
    return foreign.stateOf(name) == TransactionConstants.PREPARED;
  }

  private Entry takesPrepared() {
    try {
      return space.take(new Note("prepared", null), null, MINUTE);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aPartThatLostWhatWasNotPreparedCannotGoOn() throws Exception {
    Transaction transaction = begin(MINUTE);
    space.write(new Note("lost", 1), transaction, Lease.FOREVER);
    foreign.close();
    comesBack(2, 0);
    try (TupleSpace after = SpaceClient.open(engine, "elsewhere", "after", foreign)) {
      assertThatThrownBy(() -> after.write(new Note("more", 1), transaction, Lease.FOREVER))
          .isInstanceOf(TransactionException.class);
    }
  }

  @Test
  void theClientOfAGatewayTakesPartItself(@TempDir Path folder) throws Exception {
    var settings =
        new ForeignTransactions.Settings(
            JeriAddress.loopback(), UuidFactory.generate(), 1, Duration.ofMillis(300));
    try (TestGateway gateway = TestGateway.startUsual(engine, folder);
        GatewayConnection client = gateway.patientClient();
        ForeignTransactions own = ForeignTransactions.start(client.engine(), settings);
        TupleSpace remote = SpaceClient.open(client.engine(), "ada/remote", "", own)) {
      remote.write(new Note("afar", 1), null, Lease.FOREVER);
      Transaction aborted = begin(MINUTE);
      assertThat(remote.take(new Note("afar", null), aborted, JavaSpace.NO_WAIT)).isNotNull();
      aborted.abort(MINUTE);
      Transaction committed = begin(MINUTE);
      Note moved = (Note) remote.take(new Note("afar", null), committed, MINUTE);
      outrigger.proxy().write(moved, committed, MINUTE);
      remote.write(new Note("receipt", 1), committed, Lease.FOREVER);
      assertThat(remote.readIfExists(new Note("receipt", null), null, JavaSpace.NO_WAIT)).isNull();
      committed.commit(MINUTE);
      assertThat(outrigger.proxy().take(new Note("afar", null), null, MINUTE)).isNotNull();
      assertThat(remote.take(new Note("receipt", null), null, JavaSpace.NO_WAIT)).isNotNull();
      assertThat(remote.readIfExists(new Note("afar", null), null, JavaSpace.NO_WAIT)).isNull();

      assertThatThrownBy(() -> ForeignTransactions.resume(client.engine(), settings, 1))
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("ask in the process of a node");
      Transaction refused = begin(MINUTE);
      try (TupleSpace plain = client.space("remote")) {
        assertThatThrownBy(() -> plain.write(new Note("a", 1), refused, Lease.FOREVER))
            .isInstanceOf(TransactionException.class)
            .hasMessageContaining("open the space with ForeignTransactions");
      }
      refused.abort(MINUTE);
    }
  }

  @Test
  void withoutJeriAForeignTransactionIsRefused() throws Exception {
    Transaction transaction = begin(MINUTE);
    try (TupleSpace plain = SpaceClient.open(engine, "plain", "test")) {
      assertThatThrownBy(() -> plain.write(new Note("a", 1), transaction, Lease.FOREVER))
          .isInstanceOf(TransactionException.class)
          .hasMessageContaining("another manager");
    }
    transaction.abort(MINUTE);
  }

  private static Transaction begin(long leaseMillis) throws Exception {
    return TransactionFactory.create(mahalo.proxy(), leaseMillis).transaction;
  }

  private static ForeignName nameOf(Transaction transaction) throws TransactionException {
    ServerTransaction server = (ServerTransaction) transaction;
    return ForeignName.of(server.mgr, server.id);
  }

  private void nothingIsOpen() {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> foreign.size() == 0);
  }
}

package io.gleaner.jini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.Note;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import java.time.Duration;
import java.time.InstantSource;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionFactory;
import net.jini.core.transaction.server.TransactionConstants;
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

/** River's own space and others take part in transactions of ours. */
@Timeout(120)
class SharedTransactionsTest {
  private static final long MINUTE = 60_000;
  private static HazelcastSpace engine;
  private static RiverPeer<JavaSpace05> outrigger;

  private SharedTransactions shared;
  private TupleSpace space;

  @BeforeAll
  static void startPeers() throws Exception {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
    outrigger = RiverPeers.startOutrigger();
  }

  @AfterAll
  static void stopPeers() throws Exception {
    outrigger.close();
    engine.close();
  }

  @BeforeEach
  void open(TestInfo test) throws Exception {
    shared =
        SharedTransactions.start(
            engine, JeriAddress.loopback(), UuidFactory.generate(), InstantSource.system());
    space = SpaceClient.open(engine, test.getDisplayName(), "test", shared);
  }

  @AfterEach
  void close() {
    space.close();
    shared.close();
  }

  @Test
  void bothSpacesCommitTogether() throws Exception {
    Transaction transaction = begin(MINUTE).transaction;
    space.write(new Note("ours", 1), transaction, Lease.FOREVER);
    outrigger.proxy().write(new Note("theirs", 1), transaction, MINUTE);
    assertThat(space.readIfExists(new Note("ours", null), null, JavaSpace.NO_WAIT)).isNull();
    transaction.commit(MINUTE);
    assertThat(space.take(new Note("ours", null), null, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(outrigger.proxy().take(new Note("theirs", null), null, JavaSpace.NO_WAIT))
        .isNotNull();
    assertThat(shared.size()).isZero();
  }

  @Test
  void bothSpacesAbortTogether() throws Exception {
    outrigger.proxy().write(new Note("kept", 1), null, MINUTE);
    Transaction transaction = begin(MINUTE).transaction;
    space.write(new Note("never", 1), transaction, Lease.FOREVER);
    assertThat(outrigger.proxy().take(new Note("kept", null), transaction, MINUTE)).isNotNull();
    transaction.abort(MINUTE);
    assertThat(space.readIfExists(new Note("never", null), null, JavaSpace.NO_WAIT)).isNull();
    assertThat(outrigger.proxy().take(new Note("kept", null), null, MINUTE)).isNotNull();
  }

  @Test
  void oneRefusalAbortsEverybody() throws Exception {
    Transaction transaction = begin(MINUTE).transaction;
    space.write(new Note("never", 1), transaction, Lease.FOREVER);
    try (Voter willing = Voter.joins(transaction, () -> TransactionConstants.PREPARED);
        Voter refusing = Voter.joins(transaction, () -> TransactionConstants.ABORTED)) {
      assertThatThrownBy(() -> transaction.commit(MINUTE))
          .isInstanceOf(CannotCommitException.class);
      assertThat(willing.heard).containsExactly("abort");
      assertThat(refusing.heard).isEmpty();
    }
    assertThat(space.readIfExists(new Note("never", null), null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void whoDoesNotHearIsToldAgain() throws Exception {
    Transaction transaction = begin(MINUTE).transaction;
    space.write(new Note("done", 1), transaction, Lease.FOREVER);
    try (Voter voter = Voter.joins(transaction, () -> TransactionConstants.PREPARED)) {
      voter.deafFor.set(2);
      transaction.commit(MINUTE);
      assertThat(voter.heard).containsExactly("commit");
    }
    assertThat(space.take(new Note("done", null), null, JavaSpace.NO_WAIT)).isNotNull();
  }

  @Test
  void theLeaseEndsEverybodysPart() throws Exception {
    outrigger.proxy().write(new Note("back", 1), null, MINUTE);
    Transaction.Created created = begin(1_500);
    created.lease.renew(1_500);
    assertThat(outrigger.proxy().take(new Note("back", null), created.transaction, MINUTE))
        .isNotNull();
    assertThat(outrigger.proxy().take(new Note("back", null), null, MINUTE)).isNotNull();
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> shared.size() == 0);
  }

  private Transaction.Created begin(long leaseMillis) throws Exception {
    return TransactionFactory.create(shared.manager(), leaseMillis);
  }
}

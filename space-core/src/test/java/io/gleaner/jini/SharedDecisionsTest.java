package io.gleaner.jini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.Command;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.Note;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceEvent;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import java.rmi.RemoteException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.TimeoutExpiredException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionFactory;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionConstants;
import net.jini.id.Uuid;
import net.jini.id.UuidFactory;
import net.jini.space.JavaSpace;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Nobody hears another end of a transaction than the space, whatever is silent or restarted. */
@Timeout(120)
class SharedDecisionsTest {
  private static final long MINUTE = 60_000;
  private static final Reply SILENT =
      new Reply.Refused(Reply.Refusal.STORAGE_SILENT, "the storage does not answer");
  private static HazelcastSpace engine;

  private final Uuid id = UuidFactory.generate();
  private final SilentAtCommit silent = new SilentAtCommit(engine);
  private SharedTransactions shared;
  private TupleSpace space;

  /** Answers the first commits with silence, and carries them out or not. */
  private record SilentAtCommit(SpaceEngine space, AtomicInteger carriedOut, AtomicInteger lost)
      implements SpaceEngine {

    SilentAtCommit(SpaceEngine space) {
      this(space, new AtomicInteger(), new AtomicInteger());
    }

    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      return space.open(holder, events);
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long acknowledged, Command command) {
      if (command instanceof Command.Commit && lost.getAndDecrement() > 0) {
        return CompletableFuture.completedFuture(SILENT);
      }
      CompletableFuture<Reply> reply = space.execute(session, sequence, acknowledged, command);
      return command instanceof Command.Commit && carriedOut.getAndDecrement() > 0
          ? reply.thenApply(done -> SILENT)
          : reply;
    }

    @Override
    public CompletableFuture<Void> close(long session) {
      return space.close(session);
    }

    @Override
    public void close() {}
  }

  @BeforeAll
  static void startSpace() {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
  }

  @AfterAll
  static void stopSpace() {
    engine.close();
  }

  @BeforeEach
  void open(TestInfo test) throws Exception {
    begins();
    space = SpaceClient.open(engine, test.getDisplayName(), "test", t -> shared.numberOf(t));
  }

  private void begins() throws RemoteException {
    shared = SharedTransactions.start(silent, JeriAddress.loopback(), id, InstantSource.system());
  }

  @AfterEach
  void close() {
    space.close();
    shared.close();
  }

  @Test
  void aCommitThatIsCarriedOutSilentlyIsHeardAsCommit() throws Exception {
    Transaction transaction = begin();
    try (Voter voter = Voter.joins(transaction, () -> TransactionConstants.PREPARED)) {
      silent.carriedOut.set(1);
      assertThatThrownBy(transaction::commit)
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("ask for its state");
      hears(voter, "commit");
    }
    assertThat(isDone()).isTrue();
  }

  @Test
  void aCommitThatIsLostIsAskedAgain() throws Exception {
    Transaction transaction = begin();
    try (Voter voter = Voter.joins(transaction, () -> TransactionConstants.PREPARED)) {
      silent.lost.set(2);
      assertThatThrownBy(() -> transaction.commit(1))
          .isInstanceOfSatisfying(
              TimeoutExpiredException.class, e -> assertThat(e.committed).isFalse());
      assertThat(stateOf(transaction))
          .isIn(TransactionConstants.VOTING, TransactionConstants.COMMITTED);
      transaction.commit(MINUTE);
      assertThat(voter.heard).containsExactly("commit");
    }
    assertThat(isDone()).isTrue();
  }

  @Test
  void whatTheSpaceHasAbortedMeanwhileIsHeardAsAbort() throws Exception {
    Transaction transaction = begin();
    try (Voter voter = Voter.joins(transaction, () -> TransactionConstants.PREPARED)) {
      silent.lost.set(Integer.MAX_VALUE);
      assertThatThrownBy(transaction::commit).isInstanceOf(RemoteException.class);
      try (TupleSpace other = SpaceClient.open(engine, "elsewhere", "other")) {
        other.transactions().abort(((ServerTransaction) transaction).id);
      }
      silent.lost.set(0);
      hears(voter, "abort");
      assertThatThrownBy(() -> transaction.commit(MINUTE))
          .isInstanceOfAny(CannotCommitException.class, UnknownTransactionException.class);
    }
    assertThat(isDone()).isFalse();
  }

  @Test
  void aDecisionIsKnownAfterARestart() throws Exception {
    Transaction transaction = begin();
    try (Voter voter = Voter.joins(transaction, () -> TransactionConstants.PREPARED)) {
      voter.deafFor.set(Integer.MAX_VALUE);
      transaction.commit();
      shared.close();
      begins();
      assertThat(shared.manager().getState(((ServerTransaction) transaction).id))
          .isEqualTo(TransactionConstants.COMMITTED);
      voter.deafFor.set(0);
      hears(voter, "commit");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> shared.size() == 0);
    }
    assertThat(isDone()).isTrue();
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(this::nothingIsKept);
  }

  @Test
  void whatWasNotDecidedIsAbortedByARestart() throws Exception {
    Transaction transaction = begin();
    silent.lost.set(Integer.MAX_VALUE);
    try (Voter voter = Voter.joins(transaction, () -> TransactionConstants.PREPARED)) {
      assertThatThrownBy(transaction::commit).isInstanceOf(RemoteException.class);
      shared.close();
      silent.lost.set(0);
      begins();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> stateAfter(transaction).isEmpty());
      assertThat(voter.heard).isEmpty();
    }
    assertThat(isDone()).isFalse();
  }

  @Test
  void aFrozenParticipantHoldsUpNobody() throws Exception {
    Transaction transaction = begin();
    try (Voter frozen = Voter.joins(transaction, () -> TransactionConstants.PREPARED);
        Voter voter = Voter.joins(transaction, () -> TransactionConstants.PREPARED)) {
      frozen.frozen = true;
      transaction.commit();
      assertThatThrownBy(() -> transaction.commit(1))
          .isInstanceOfSatisfying(
              TimeoutExpiredException.class, e -> assertThat(e.committed).isTrue());
      hears(voter, "commit");
      assertThat(frozen.heard).isEmpty();
      frozen.thawed.countDown();
      hears(frozen, "commit");
    }
    assertThat(isDone()).isTrue();
  }

  @Test
  void whileSomebodyDoesNotVoteItCanBeAborted() throws Exception {
    Transaction transaction = begin();
    try (Voter voter = Voter.joins(transaction, () -> TransactionConstants.PREPARED);
        Voter slow = Voter.joins(transaction, () -> votesOnceHeard(voter))) {
      assertThatThrownBy(() -> transaction.commit(1))
          .isInstanceOfSatisfying(
              TimeoutExpiredException.class, e -> assertThat(e.committed).isFalse());
      transaction.abort(MINUTE);
      assertThat(voter.heard).containsExactly("abort");
      assertThat(slow.heard).containsExactly("abort");
    }
    assertThat(isDone()).isFalse();
  }

  private static int votesOnceHeard(Voter other) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !other.heard.isEmpty());
    return TransactionConstants.PREPARED;
  }

  private Transaction begin() throws Exception {
    Transaction transaction = TransactionFactory.create(shared.manager(), MINUTE).transaction;
    space.write(new Note("done", 1), transaction, Lease.FOREVER);
    return transaction;
  }

  private static int stateOf(Transaction transaction) throws Exception {
    return ((ServerTransaction) transaction).getState();
  }

  private Optional<Integer> stateAfter(Transaction transaction) throws Exception {
    try {
      return Optional.of(shared.manager().getState(((ServerTransaction) transaction).id));
    } catch (UnknownTransactionException e) {
      return Optional.empty();
    }
  }

  private boolean isDone() throws Exception {
    return space.readIfExists(new Note("done", null), null, JavaSpace.NO_WAIT) != null;
  }

  private boolean nothingIsKept() throws Exception {
    try (SharedDecisions kept = new SharedDecisions(engine, "shared transactions", id.toString())) {
      return kept.committed().isEmpty();
    }
  }

  private static void hears(Voter voter, String what) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(voter.heard).containsExactly(what));
  }
}

package io.gleaner.space.conformance;

import static io.gleaner.space.conformance.SpaceUnderTest.await;
import static io.gleaner.space.conformance.SpaceUnderTest.waiting;
import static net.jini.core.lease.Lease.FOREVER;
import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.Note;
import io.gleaner.space.SpreadNote;
import java.rmi.RemoteException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionConstants;
import org.junit.jupiter.api.Timeout;

/** JavaSpaces specification, JS.3; transaction specification, TX.2. */
@Timeout(120)
class TransactionsTest {
  private static final long MINUTE = 60_000;

  @Conformance
  void js3_1_whatIsWrittenIsSeenOnlyInsideUntilTheCommit(SpaceUnderTest at) throws Exception {
    Transaction transaction = at.begin();
    at.space.write(new Note("a", 1), transaction, FOREVER);
    assertThat(at.space.read(new Note(), transaction, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNull();
    assertThat(at.space.take(new Note(), at.begin(), NO_WAIT)).isNull();
    CompletableFuture<Entry> waiting = waiting(() -> at.space.read(new Note(), null, MINUTE));
    transaction.commit(MINUTE);
    assertThat(get(waiting)).isNotNull();
    assertThat(at.space.take(new Note(), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  void js3_1_whatIsWrittenUnderAnAbortedTransactionIsDiscarded(SpaceUnderTest at) throws Exception {
    Transaction transaction = at.begin();
    Lease lease = at.space.write(new Note("a", 1), transaction, MINUTE);
    transaction.abort(MINUTE);
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNull();
    assertThatThrownBy(() -> lease.renew(MINUTE)).isInstanceOf(UnknownLeaseException.class);
  }

  @Conformance
  void js3_1_whatIsWrittenAndTakenInsideIsNeverSeenOutside(SpaceUnderTest at) throws Exception {
    Transaction transaction = at.begin();
    at.space.write(new Note("a", 1), transaction, FOREVER);
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note(), transaction, NO_WAIT)).isNull();
    transaction.commit(MINUTE);
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNull();
  }

  @Conformance
  void js3_1_whatIsReadCanBeReadButNotTakenElsewhere(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction transaction = at.begin();
    Transaction other = at.begin();
    assertThat(at.space.read(new Note(), transaction, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note(), other, NO_WAIT)).isNotNull();
    assertThat(at.space.take(new Note(), null, NO_WAIT)).isNull();
    assertThat(at.space.takeIfExists(new Note(), null, NO_WAIT)).isNull();
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).as("two have read it").isNull();
    other.commit(MINUTE);
    assertThat(at.space.take(new Note(), transaction, MINUTE)).as("its own lock").isNotNull();
  }

  @Conformance
  void js3_1_whatIsTakenCanBeNeitherReadNorTakenElsewhere(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction transaction = at.begin();
    Transaction other = at.begin();
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note(), transaction, NO_WAIT)).as("inside").isNull();
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNull();
    assertThat(at.space.read(new Note(), other, NO_WAIT)).isNull();
    assertThat(at.space.take(new Note(), other, NO_WAIT)).isNull();
    transaction.abort(MINUTE);
    assertThat(at.space.take(new Note(), other, MINUTE)).isNotNull();
  }

  @Conformance
  void js3_1_aCommittedTakeIsForGood(SpaceUnderTest at) throws Exception {
    Lease lease = at.space.write(new Note("a", 1), null, MINUTE);
    Transaction transaction = at.begin();
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).isNotNull();
    transaction.commit(MINUTE);
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNull();
    assertThatThrownBy(() -> lease.renew(MINUTE)).isInstanceOf(UnknownLeaseException.class);
  }

  @Conformance
  void js3_1_aTakeWakesWhenAnAbortBringsTheEntryBack(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction transaction = at.begin();
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).isNotNull();
    CompletableFuture<Entry> taken = waiting(() -> at.space.take(new Note(), null, MINUTE));
    transaction.abort(MINUTE);
    assertThat(get(taken)).isNotNull();
  }

  @Conformance
  void js2_4_ifExistsWaitsForALockAndGetsWhatComesBack(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction transaction = at.begin();
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).isNotNull();
    CompletableFuture<Entry> read = waiting(() -> at.space.readIfExists(new Note(), null, MINUTE));
    assertThat(read).isNotDone();
    transaction.abort(MINUTE);
    assertThat(get(read)).isNotNull();
  }

  @Conformance
  void js2_4_ifExistsEndsWhenTheLockedEntryIsGone(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction transaction = at.begin();
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).isNotNull();
    CompletableFuture<Entry> taken =
        waiting(() -> at.space.takeIfExists(new Note(), null, Long.MAX_VALUE));
    assertThat(taken).isNotDone();
    transaction.commit(MINUTE);
    assertThat(get(taken)).isNull();
  }

  @Conformance
  void js2_4_ifExistsWaitsForWhatIsWrittenButNotCommitted(SpaceUnderTest at) throws Exception {
    Transaction transaction = at.begin();
    at.space.write(new Note("a", 1), transaction, FOREVER);
    CompletableFuture<Entry> taken = waiting(() -> at.space.takeIfExists(new Note(), null, MINUTE));
    assertThat(taken).isNotDone();
    transaction.commit(MINUTE);
    assertThat(get(taken)).isNotNull();
  }

  @Conformance
  void js2_4_ifExistsWaitsForAReadLockBeforeItTakes(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction transaction = at.begin();
    assertThat(at.space.read(new Note(), transaction, NO_WAIT)).isNotNull();
    CompletableFuture<Entry> taken = waiting(() -> at.space.takeIfExists(new Note(), null, MINUTE));
    assertThat(taken).isNotDone();
    transaction.commit(MINUTE);
    assertThat(get(taken)).isNotNull();
  }

  @Conformance
  void js2_4_ifExistsGivesUpALockAfterItsTimeOut(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction transaction = at.begin();
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).isNotNull();
    assertThat(at.space.readIfExists(new Note(), null, NO_WAIT)).isNull();
    assertThat(at.space.takeIfExists(new Note(), null, 100)).isNull();
  }

  @Conformance
  void js3_2_aTransactionAppearsAsAWhole(SpaceUnderTest at) throws Exception {
    Transaction transaction = at.begin();
    for (int i = 0; i < 40; i++) {
      at.space.write(new SpreadNote("s" + i, i), transaction, FOREVER);
    }
    at.space.write(new Note("a", 1), transaction, FOREVER);
    CompletableFuture<Entry> first = waiting(() -> at.space.take(new Note(), null, MINUTE));
    transaction.commit(MINUTE);
    assertThat(get(first)).isNotNull();
    for (int i = 0; i < 40; i++) {
      assertThat(at.space.take(new SpreadNote("s" + i, i), null, NO_WAIT)).isNotNull();
    }
  }

  @Conformance
  void js3_theLeaseOfATransactionIsItsLife(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction.Created begun = at.begin(500);
    assertThat(at.space.take(new Note(), begun.transaction, NO_WAIT)).isNotNull();
    assertThat(at.space.take(new Note(), null, MINUTE)).as("it came back").isNotNull();
    assertThatThrownBy(() -> begun.transaction.commit(MINUTE))
        .isInstanceOf(TransactionException.class);
  }

  @Conformance
  void tx2_renewingTheLeaseKeepsTheTransaction(SpaceUnderTest at) throws Exception {
    Transaction.Created begun = at.begin(500);
    begun.lease.renew(MINUTE);
    at.space.write(new Note("a", 1), begun.transaction, FOREVER);
    long renewed = System.nanoTime();
    await().until(() -> System.nanoTime() - renewed > TimeUnit.MILLISECONDS.toNanos(800));
    begun.transaction.commit(MINUTE);
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  void tx2_cancellingTheLeaseAborts(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction.Created begun = at.begin(MINUTE);
    assertThat(at.space.take(new Note(), begun.transaction, NO_WAIT)).isNotNull();
    begun.lease.cancel();
    assertThat(at.space.take(new Note(), null, MINUTE)).isNotNull();
    assertThatThrownBy(() -> begun.transaction.commit(MINUTE))
        .isInstanceOf(TransactionException.class);
  }

  @Conformance
  void js3_operationsUnderATransactionThatIsOverAreRefused(SpaceUnderTest at) throws Exception {
    Transaction committed = at.begin();
    at.space.write(new Note("a", 1), committed, FOREVER);
    committed.commit(MINUTE);
    Transaction aborted = at.begin();
    aborted.abort(MINUTE);
    for (Transaction over : new Transaction[] {committed, aborted}) {
      assertThatThrownBy(() -> at.space.write(new Note("b", 1), over, FOREVER))
          .isInstanceOf(UnknownTransactionException.class);
      assertThatThrownBy(() -> at.space.read(new Note(), over, NO_WAIT))
          .isInstanceOf(UnknownTransactionException.class);
      assertThatThrownBy(() -> at.space.take(new Note(), over, MINUTE))
          .isInstanceOf(UnknownTransactionException.class);
      assertThatThrownBy(() -> at.space.readIfExists(new Note(), over, NO_WAIT))
          .isInstanceOf(UnknownTransactionException.class);
      assertThatThrownBy(
              () -> at.space.contents(java.util.List.of(new Note()), over, MINUTE, 1).next())
          .isInstanceOf(UnknownTransactionException.class);
      assertThatThrownBy(() -> at.space.notify(null, over, at.listener(e -> {}), MINUTE, null))
          .isInstanceOf(UnknownTransactionException.class);
    }
    assertThat(at.space.take(new Note("b", null), null, NO_WAIT)).isNull();
  }

  @Conformance
  void js3_1_anAbortEndsWhatWaitsUnderTheTransaction(SpaceUnderTest at) throws Exception {
    Transaction transaction = at.begin();
    at.space.write(new Note("b", 1), transaction, FOREVER);
    CompletableFuture<Entry> taken =
        waiting(() -> at.space.take(new Note("a", null), transaction, MINUTE));
    transaction.abort(MINUTE);
    assertThatThrownBy(() -> get(taken)).hasCauseInstanceOf(TransactionException.class);
  }

  @Conformance
  void tx2_whatIsOverCannotEndAgain(SpaceUnderTest at) throws Exception {
    Transaction committed = at.begin();
    committed.commit(MINUTE);
    assertThatThrownBy(() -> committed.abort(MINUTE)).isInstanceOf(TransactionException.class);
    Transaction aborted = at.begin();
    aborted.abort(MINUTE);
    assertThatThrownBy(() -> aborted.commit(MINUTE)).isInstanceOf(TransactionException.class);
  }

  @Conformance
  void tx2_aTransactionThatNeverWasIsUnknown(SpaceUnderTest at) throws Exception {
    long known = ((ServerTransaction) at.begin()).id;
    long unknown = known ^ 0x5555_5555L;
    assertThatThrownBy(() -> at.transactions.commit(unknown))
        .isInstanceOf(UnknownTransactionException.class);
    assertThatThrownBy(() -> at.transactions.abort(unknown))
        .isInstanceOf(UnknownTransactionException.class);
    assertThatThrownBy(() -> at.transactions.getState(unknown))
        .isInstanceOf(UnknownTransactionException.class);
  }

  @Conformance
  void tx2_theStateOfAnActiveTransactionIsActive(SpaceUnderTest at) throws Exception {
    long id = ((ServerTransaction) at.begin()).id;
    assertThat(at.transactions.getState(id)).isEqualTo(TransactionConstants.ACTIVE);
  }

  @Conformance
  void tx2_anEmptyTransactionCommits(SpaceUnderTest at) throws Exception {
    at.begin().commit(MINUTE);
    at.begin().abort(MINUTE);
  }

  @Conformance
  void js2_8_theLeaseOfAnEntryWrittenInsideCanBeCancelledBeforeTheCommit(SpaceUnderTest at)
      throws Exception {
    Transaction transaction = at.begin();
    Lease lease = at.space.write(new Note("a", 1), transaction, MINUTE);
    at.space.write(new Note("a", 2), transaction, FOREVER);
    lease.cancel();
    transaction.commit(MINUTE);
    assertThat(at.space.take(new Note("a", 1), null, NO_WAIT)).isNull();
    assertThat(at.space.take(new Note("a", 2), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  void le2_anEntryWhoseLeaseEndsWhileItIsTakenDoesNotComeBack(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, 400);
    Transaction transaction = at.begin();
    assertThat(at.space.take(new Note(), transaction, NO_WAIT)).isNotNull();
    long taken = System.nanoTime();
    await().until(() -> System.nanoTime() - taken > TimeUnit.MILLISECONDS.toNanos(800));
    transaction.abort(MINUTE);
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNull();
  }

  @Conformance
  void tx_aTransactionOfAManagerThatDoesNotKnowItIsRefused(SpaceUnderTest at)
      throws RemoteException {
    Transaction unknown = new ServerTransaction(at.transactions, 4711);
    assertThatThrownBy(() -> at.space.write(new Note("a", 1), unknown, FOREVER))
        .isInstanceOf(TransactionException.class);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(90, TimeUnit.SECONDS);
  }
}

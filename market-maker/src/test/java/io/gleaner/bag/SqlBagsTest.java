package io.gleaner.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.gleaner.bag.Bags.Submission;
import io.gleaner.bag.Bags.Summary;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.TaskEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of a bag on a real space, a real database and a real ledger. */
@Timeout(120)
class SqlBagsTest {
  @TempDir Path folder;
  private BagNode node;

  @BeforeEach
  void start() throws Exception {
    node = BagNode.start(folder);
    node.ledger().grant("alice", 1_000_000_000, "start");
  }

  @AfterEach
  void theLedgerIsRightAtTheEnd() throws Exception {
    try (BagNode closing = node) {
      assertThat(closing.brokenInvariants()).isEmpty();
    }
  }

  @Test
  void aSubmittedBagIsOpenWithItsTasksItsBidAndItsEscrow() throws Exception {
    Summary bag = node.submits("alice", 2500, "budget: 50\nreplication: 2", "k");

    assertThat(bag.state()).isEqualTo("OPEN");
    assertThat(bag.tasks()).isEqualTo(2500);
    assertThat(node.count(TaskEntry.ofJob(bag.jobId()))).isEqualTo(5000);
    JobEntry job = (JobEntry) node.read(JobEntry.ofJob(bag.jobId()));
    assertThat(job.state).isEqualTo(JobState.OPEN);
    assertThat(job.replication).isEqualTo(2);
    assertThat(job.bundleDigest).isEqualTo(node.bundle());
    BidEntry bid = (BidEntry) node.read(BidEntry.ofJob(bag.jobId()));
    assertThat(bid.microsPerUnit).isEqualTo(50_000_000 / 5000);
    assertThat(bid.budgetMicros).isEqualTo(50_000_000);
    assertThat(node.ledger().escrows()).containsEntry(bag.jobId(), 50_000_000L);
    assertThat(node.bags().counters(bag.jobId())).contains(new OpenBags.Counters(2500, 50_000_000));
    assertThat(node.bags().termsOfOpen(bag.jobId()))
        .contains(new TaskRegister.Terms("alice", 2, 3, 4_000_000, 50_000_000 / 2500));
    assertThat(node.bags().task(bag.jobId(), 7).orElseThrow().parameters).containsEntry("i", "7");
    assertThat(node.bags().list(Optional.of("alice"), 10)).containsExactly(bag);
    assertThat(node.bags().list(Optional.of("bob"), 10)).isEmpty();
  }

  @Test
  void theSameKeyGivesTheSameBagAndAnotherContentIsRefused() throws Exception {
    Summary first = node.submits("alice", 3, "budget: 5", "k");
    Summary again = node.submits("alice", 3, "budget: 5", "k");
    assertThat(again.jobId()).isEqualTo(first.jobId());
    assertThat(node.ledger().balance("user/alice")).isEqualTo(995_000_000);

    assertThat(refused(() -> node.submits("alice", 4, "budget: 5", "k")))
        .isEqualTo(BagException.Code.KEY_REUSED);
    node.ledger().grant("bob", 5_000_000, "bob");
    assertThat(node.submits("bob", 3, "budget: 5", "k").jobId()).isNotEqualTo(first.jobId());
  }

  @Test
  void equalSubmissionsThatRaceMakeOneBag() throws Exception {
    ExecutorService submitters = Executors.newFixedThreadPool(8);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<Summary>> answers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        answers.add(
            submitters.submit(
                () -> {
                  start.await();
                  return node.submits("alice", 1500, "budget: 5", "race");
                }));
      }
      start.countDown();
      String jobId = answers.get(0).get().jobId();
      for (Future<Summary> answer : answers) {
        assertThat(answer.get().jobId()).isEqualTo(jobId);
        assertThat(answer.get().state()).isEqualTo("OPEN");
      }
      assertThat(node.count(TaskEntry.ofJob(jobId))).isEqualTo(1500);
      assertThat(node.ledger().balance("user/alice")).isEqualTo(995_000_000);
    } finally {
      submitters.shutdownNow();
    }
  }

  @Test
  void whatCannotRunOrBePaidIsRefusedAndLeavesNothing() throws Exception {
    assertThat(refused(() -> node.submits("alice", 3, "kind: wasm", "k")))
        .isEqualTo(BagException.Code.INVALID_DESCRIPTION);
    assertThat(refused(() -> node.submits("alice", 3, "notify: {mail: a@example.org}", "k")))
        .isEqualTo(BagException.Code.INVALID_DESCRIPTION);
    assertThat(refused(() -> node.submits("alice", 3, "deadline: 2000-01-01T00:00:00Z", "k")))
        .isEqualTo(BagException.Code.INVALID_DESCRIPTION);
    assertThat(refused(() -> node.submits("alice", 3, "parameters: {}", "k")))
        .isEqualTo(BagException.Code.INVALID_DESCRIPTION);
    assertThat(
            refused(
                () ->
                    node.bags()
                        .submit(
                            "alice",
                            new Submission(
                                "name: a\nbundle: no.jar\nentry_point: a.A\n", Map.of(), "k"))))
        .isEqualTo(BagException.Code.MISSING_FILE);
    assertThat(refused(() -> node.submits("alice", 3, "budget: 1001", "k")))
        .isEqualTo(BagException.Code.NOT_ENOUGH_CREDITS);
    assertThat(refused(() -> node.submits("alice", 3, "", " "))).isEqualTo(BagException.Code.LIMIT);

    assertThat(node.bags().list(Optional.empty(), 10)).isEmpty();
    assertThat(node.ledger().balance("user/alice")).isEqualTo(1_000_000_000);
    // With the credits there, the refused key works.
    node.ledger().grant("alice", 1_000_000, "more");
    assertThat(node.submits("alice", 3, "budget: 1001", "k").state()).isEqualTo("OPEN");
  }

  @Test
  void theLastTaskEndsTheBagAndReturnsTheRest() throws Exception {
    Summary bag = node.submits("alice", 3, "budget: 5", "k");
    String jobId = bag.jobId();
    node.takes(jobId, 3);
    for (int index : List.of(2, 0, 1)) {
      long paid = node.pays(jobId, index, "bob", 1_000_000);
      assertThat(node.bags().ended(jobId, node.outcome(index, index != 1, paid))).isTrue();
      assertThat(node.bags().ended(jobId, node.outcome(index, true, paid))).isFalse();
    }

    Summary done = node.bags().find(jobId).orElseThrow();
    assertThat(done.state()).isEqualTo("DONE");
    assertThat(done.completed()).isEqualTo(2);
    assertThat(done.failed()).isEqualTo(1);
    assertThat(done.spentMicros()).isEqualTo(3_000_000);
    assertThat(done.ended()).isPresent();
    assertThat(node.bags().termsOfOpen(jobId)).isEmpty();
    assertThat(node.bags().counters(jobId)).isEmpty();
    await().untilAsserted(() -> assertThat(node.leftOf(jobId)).isZero());
    await()
        .untilAsserted(
            () -> assertThat(node.ledger().balance("user/alice")).isEqualTo(997_000_000));
    assertThat(node.bags().outcomes(jobId, 0, 10))
        .extracting(Bags.TaskOutcome::taskIndex)
        .containsExactly(1, 2);
    assertThat(node.bags().outcomes(jobId, -1, 1).get(0).parameters()).containsEntry("i", "0");
    assertThat(node.bags().completions(jobId, 0, 10))
        .extracting(Bags.Placed::place, placed -> placed.outcome().taskIndex())
        .containsExactly(tuple(1, 2), tuple(2, 0), tuple(3, 1));
    assertThat(node.bags().completions(jobId, 2, 10))
        .extracting(Bags.Placed::place)
        .containsExactly(3);
    assertThat(node.bags().cancel(jobId, "too late").state()).isEqualTo("DONE");
  }

  @Test
  void aBagWhoseLastOutcomeNobodyHeardOfEndsWhenItIsToldAgain() throws Exception {
    String jobId = node.submits("alice", 1, "budget: 5", "k").jobId();
    node.takes(jobId, 1);
    Bags.TaskOutcome last = node.outcome(0, true, node.pays(jobId, 0, "bob", 1_000_000));
    node.losesTheNextAcknowledgement();
    assertThat(refused(() -> node.bags().ended(jobId, last)))
        .isEqualTo(BagException.Code.UNAVAILABLE);

    assertThat(node.bags().ended(jobId, last)).isFalse();
    assertThat(node.bags().find(jobId).orElseThrow().state()).isEqualTo("DONE");
    assertThat(node.bags().counters(jobId)).isEmpty();
    await().untilAsserted(() -> assertThat(node.leftOf(jobId)).isZero());
    await()
        .untilAsserted(
            () -> assertThat(node.ledger().balance("user/alice")).isEqualTo(999_000_000));
  }

  @Test
  void aFailedTaskStopsABagThatAsksForIt() throws Exception {
    String jobId = node.submits("alice", 3000, "budget: 5\non_failure: stop", "k").jobId();
    assertThat(node.bags().ended(jobId, node.outcome(7, false, 0))).isTrue();

    Summary failed = node.bags().find(jobId).orElseThrow();
    assertThat(failed.state()).isEqualTo("FAILED");
    assertThat(failed.note()).contains("task 7 failed for good: broken");
    await().untilAsserted(() -> assertThat(node.leftOf(jobId)).isZero());
    await().untilAsserted(() -> assertThat(node.ledger().escrows()).isEmpty());
  }

  @Test
  void aCancelWaitsForACommitUnderWayAndRefusesAllLaterOnes() throws Exception {
    String jobId = node.submits("alice", 10, "budget: 5", "k").jobId();
    Transaction committing = node.begin();
    assertThat(node.readsOpenJob(jobId, committing)).isTrue();
    ExecutorService canceller = Executors.newSingleThreadExecutor();
    try {
      Future<Summary> cancelled = canceller.submit(() -> node.bags().cancel(jobId, "enough"));
      await()
          .pollDelay(Duration.ofMillis(300))
          .untilAsserted(() -> assertThat(cancelled.isDone()).isFalse());
      committing.commit();
      assertThat(cancelled.get().state()).isEqualTo("CANCELLED");
    } finally {
      canceller.shutdownNow();
    }
    Transaction late = node.begin();
    assertThat(node.readsOpenJob(jobId, late)).isFalse();
    late.abort();
  }

  @Test
  void tasksThatRunWhileTheBagIsCancelledLeaveNothingBehind() throws Exception {
    String jobId = node.submits("alice", 50, "budget: 5", "k").jobId();
    Transaction running = node.begin();
    for (int i = 0; i < 3; i++) {
      assertThat(node.space().takeIfExists(TaskEntry.ofJob(jobId), running, 0)).isNotNull();
    }
    Summary cancelled = node.bags().cancel(jobId, "enough");
    assertThat(cancelled.state()).isEqualTo("CANCELLED");
    assertThat(cancelled.note()).isEqualTo("enough");
    assertThat(node.ledger().balance("user/alice")).isEqualTo(1_000_000_000);
    assertThat(node.leftOf(jobId)).isZero();

    running.abort();
    await().untilAsserted(() -> assertThat(node.leftOf(jobId)).isZero());
    assertThat(node.bags().cancel(jobId, "again").note()).isEqualTo("enough");
    assertThat(refused(() -> node.bags().cancel("b-nowhere", "x")))
        .isEqualTo(BagException.Code.UNKNOWN_BAG);
  }

  @Test
  void tenThousandTasksCancelledHalfWayLeaveNoTuple() throws Exception {
    long before = System.nanoTime();
    String jobId = node.submits("alice", 10_000, "budget: 500", "k").jobId();
    System.out.printf(
        "submission of 10000 tasks: %d ms%n", (System.nanoTime() - before) / 1_000_000);
    node.takes(jobId, 5000);
    for (int index = 0; index < 20; index++) {
      long paid = node.pays(jobId, index, "bob", 10_000);
      node.bags().ended(jobId, node.outcome(index, true, paid));
    }
    node.space().write(node.result(jobId, 21), null, Lease.FOREVER);

    before = System.nanoTime();
    Summary cancelled = node.bags().cancel(jobId, "half way");
    System.out.printf("its cancel: %d ms%n", (System.nanoTime() - before) / 1_000_000);
    assertThat(cancelled.completed()).isEqualTo(20);
    assertThat(node.leftOf(jobId)).isZero();
    assertThat(node.ledger().escrows()).isEmpty();
    assertThat(node.ledger().balance("user/alice")).isEqualTo(1_000_000_000 - 200_000);
  }

  @Test
  void aRestartCancelsWhatWasOpenAndRefundsIt() throws Exception {
    String jobId = node.submits("alice", 10, "budget: 5", "k").jobId();
    node.restartsWithAFreshSpace();

    Summary bag = node.bags().find(jobId).orElseThrow();
    assertThat(bag.state()).isEqualTo("CANCELLED");
    assertThat(bag.note())
        .isEqualTo("the node was restarted and its tasks are gone: the space was in memory");
    assertThat(node.ledger().balance("user/alice")).isEqualTo(1_000_000_000);
    assertThat(node.leftOf(jobId)).isZero();
  }

  @Test
  void aRestartGoesOnWithWhatWasOpen() throws Exception {
    String jobId = node.submits("alice", 4, "budget: 5\ndeadline: 9h", "k").jobId();
    node.takes(jobId, 1);
    node.bags().ended(jobId, node.outcome(0, true, node.pays(jobId, 0, "bob", 1_000_000)));
    TaskRegister.Terms terms = node.bags().termsOfOpen(jobId).orElseThrow();
    node.restarts();

    assertThat(node.bags().counters(jobId)).contains(new OpenBags.Counters(3, 4_000_000));
    assertThat(node.bags().termsOfOpen(jobId)).contains(terms);
    node.takes(jobId, 3);
    for (int index = 0; index < 4; index++) {
      long paid = node.pays(jobId, index, "bob", 1_000_000);
      assertThat(node.bags().ended(jobId, node.outcome(index, true, paid))).isEqualTo(index > 0);
    }
    assertThat(node.bags().find(jobId).orElseThrow().state()).isEqualTo("DONE");
    await().untilAsserted(() -> assertThat(node.leftOf(jobId)).isZero());
    await()
        .untilAsserted(
            () -> assertThat(node.ledger().balance("user/alice")).isEqualTo(996_000_000));
  }

  @Test
  void aBagThatWasBeingOpenedIsOpenAfterTheNextStart() throws Exception {
    String jobId = node.submits("alice", 3, "budget: 5\ndeadline: 9h", "k").jobId();
    BidEntry bid = (BidEntry) node.space().takeIfExists(BidEntry.ofJob(jobId), null, 0);
    node.finds(jobId, JobState.PREPARING);
    node.restarts();

    assertThat(((JobEntry) node.read(JobEntry.ofJob(jobId))).state).isEqualTo(JobState.OPEN);
    BidEntry again = (BidEntry) node.read(BidEntry.ofJob(jobId));
    assertThat(again).usingRecursiveComparison().isEqualTo(bid);
  }

  @Test
  void aSubmissionThatAKillCutShortIsDoneWhenItIsTriedAgain() throws Exception {
    String jobId = node.submits("alice", 3, "budget: 5", "k").jobId();
    node.leavesInPreparation(jobId);
    node.restarts();
    Summary again = node.submits("alice", 3, "budget: 5", "k");

    assertThat(node.bags().find(jobId).orElseThrow().state()).isEqualTo("CANCELLED");
    assertThat(again.jobId()).isNotEqualTo(jobId);
    assertThat(again.state()).isEqualTo("OPEN");
    assertThat(node.submits("alice", 3, "budget: 5", "k").jobId()).isEqualTo(again.jobId());
    await().untilAsserted(() -> assertThat(node.leftOf(jobId)).isZero());
    assertThat(node.ledger().balance("user/alice")).isEqualTo(995_000_000);
  }

  @Test
  void aSubmissionThatLosesTheSpaceIsDoneWhenItIsTriedAgain() throws Exception {
    node.space().close();
    assertThatThrownBy(() -> node.submits("alice", 10, "budget: 5", "k"))
        .isInstanceOf(RuntimeException.class);
    node.restartsWithAFreshSpace();

    assertThat(node.submits("alice", 10, "budget: 5", "k").state()).isEqualTo("OPEN");
  }

  @Test
  void aBagThatWasBeingCancelledIsCancelledByTheNextStart() throws Exception {
    String jobId = node.submits("alice", 3, "budget: 5", "k").jobId();
    node.finds(jobId, JobState.CANCELLED);
    node.restarts();

    assertThat(node.bags().find(jobId).orElseThrow().state()).isEqualTo("CANCELLED");
    assertThat(node.leftOf(jobId)).isZero();
    assertThat(node.ledger().balance("user/alice")).isEqualTo(1_000_000_000);
  }

  @Test
  void whatComesBackFromATransactionAfterTheNextStartIsSwept() throws Exception {
    String jobId = node.submits("alice", 3, "budget: 5", "k").jobId();
    Transaction running = node.begin();
    assertThat(node.space().takeIfExists(TaskEntry.ofJob(jobId), running, 0)).isNotNull();
    node.bags().cancel(jobId, "enough");
    node.restarts();

    running.abort();
    await().untilAsserted(() -> assertThat(node.leftOf(jobId)).isZero());
  }

  @Test
  void aSubmissionThatLosesTheSpaceIsUndoneByTheNextStart() throws Exception {
    node.space().close();
    assertThatThrownBy(() -> node.submits("alice", 10, "budget: 5", "k"))
        .isInstanceOf(RuntimeException.class);
    node.restartsWithAFreshSpace();

    assertThat(node.bags().list(Optional.of("alice"), 10))
        .extracting(Summary::state)
        .containsExactly("CANCELLED");
    assertThat(node.ledger().escrows()).isEmpty();
    assertThat(node.ledger().balance("user/alice")).isEqualTo(1_000_000_000);
  }

  private static BagException.Code refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    BagException refusal = catchThrowableOfType(BagException.class, call);
    assertThat(refusal).as("it should be refused").isNotNull();
    return refusal.code();
  }
}

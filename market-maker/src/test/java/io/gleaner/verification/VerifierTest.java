package io.gleaner.verification;

import static io.gleaner.verification.VerifierNode.awaits;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.bag.TaskRegister;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The verifier's thread on a real space, with real bags and a real ledger. */
@Timeout(120)
class VerifierTest {
  /** Three units at the price of every contract. */
  private static final long PAY = 3 * VerifierNode.MICROS_PER_UNIT;

  @TempDir Path folder;
  private VerifierNode node;

  @BeforeEach
  void aNodeIsThere() throws Exception {
    node = VerifierNode.start(folder);
  }

  @AfterEach
  void theLedgerIsRightAtTheEnd() throws Exception {
    try (VerifierNode closing = node) {
      closing.verifierLeaves();
      assertThat(closing.brokenInvariants()).isEmpty();
    }
  }

  @Test
  void everyTaskOfABagIsPaidOnceAndTheRestOfTheBudgetComesBack() throws Exception {
    int tasks = 300;
    String bag = node.submits(tasks, "");
    node.contracts("bob", bag);
    List<ResultEntry> results = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      results.add(node.completes("bob", bag, "tile " + i));
    }

    awaits("the end").untilAsserted(() -> assertThat(node.bag(bag).state()).isEqualTo("DONE"));
    assertThat(node.bag(bag).completed()).isEqualTo(tasks);
    assertThat(node.bag(bag).spentMicros()).isEqualTo(tasks * PAY);
    assertThat(node.earned("bob")).isEqualTo(tasks * PAY);
    for (ResultEntry result : results) {
      assertThat(node.outcome(bag, result.taskIndex).orElseThrow())
          .returns("COMPLETED", TaskOutcome::outcome)
          .returns(Optional.of(result.outputDigest), TaskOutcome::outputDigest)
          .returns(PAY, TaskOutcome::paidMicros);
    }
    awaits("the refund")
        .untilAsserted(
            () -> assertThat(node.balanceOfAlice()).isEqualTo(1_000_000_000 - tasks * PAY));
  }

  @Test
  void aResultThatComesAgainIsHarmless() throws Exception {
    String bag = node.submits(2, "");
    node.contracts("bob", bag);
    ResultEntry result = node.completes("bob", bag, "forty-two");
    TaskOutcome first = node.awaitsOutcome(bag, result.taskIndex);
    node.comesAgain(result);
    node.comesAgain(result);
    node.verifierLeavesWithAllDone();

    assertThat(node.earned("bob")).isEqualTo(PAY);
    assertThat(node.outcome(bag, result.taskIndex)).contains(first);
    assertThat(node.bag(bag).completed()).isEqualTo(1);
    assertThat(node.waiting(bag)).as("only the other task").isEqualTo(1);
  }

  @Test
  void aVerifierThatLosesItsTransactionAfterPayingPaysNothingTheSecondTime() throws Exception {
    node.verifierLeaves();
    AtomicReference<Transaction> latest = new AtomicReference<>();
    LosingRegister register = new LosingRegister(node.bags(), latest);
    node.verifies(seesTransactions(node.space(), latest), register);
    String bag = node.submits(2, "");
    node.contracts("bob", bag);
    ResultEntry result = node.completes("bob", bag, "forty-two");

    awaits("a second delivery")
        .untilAsserted(() -> assertThat(register.answers).containsExactly(true, false));
    node.verifierLeavesWithAllDone();
    assertThat(node.earned("bob")).isEqualTo(PAY);
    assertThat(node.bag(bag).spentMicros()).isEqualTo(PAY);
    assertThat(node.outcome(bag, result.taskIndex).orElseThrow().paidMicros()).isEqualTo(PAY);
  }

  @Test
  void aTaskThatFailsIsQueuedAgainUntilItsAttemptsAreUsedUpAndThenParked() throws Exception {
    String bag = node.submits(1, "max_attempts: 3");
    node.contracts("bob", bag);
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(node.outcome(bag, 0)).isEmpty();
      ResultEntry failed = node.fails("bob", bag, "no luck in attempt " + attempt);
      assertThat(failed.attempt).isEqualTo(attempt);
      assertThat(failed.faults).isEqualTo(attempt - 1);
    }

    assertThat(node.awaitsOutcome(bag, 0))
        .returns("FAILED", TaskOutcome::outcome)
        .returns("no luck in attempt 3", TaskOutcome::reason)
        .returns("the last line", TaskOutcome::logTail)
        .returns(0L, TaskOutcome::paidMicros);
    node.verifierLeavesWithAllDone();
    assertThat(node.waiting(bag)).isZero();
    assertThat(node.bag(bag).failed()).isEqualTo(1);
    assertThat(node.earned("bob")).isZero();
    awaits("the refund")
        .untilAsserted(() -> assertThat(node.balanceOfAlice()).isEqualTo(1_000_000_000));
  }

  @Test
  void aTaskInTwoCopiesNeedsTwoEqualResults() throws Exception {
    String bag = node.submits(1, "replication: 2");
    node.contracts("bob", bag);
    node.contracts("carol", bag);
    node.contracts("dave", bag);
    node.completes("bob", bag, "forty-two");
    node.verifierLeavesWithAllDone();
    assertThat(node.earned("bob")).as("one is not enough").isZero();
    assertThat(node.outcome(bag, 0)).isEmpty();

    node.verifies(node.space(), node.bags());
    node.completes("carol", bag, "forty-three");
    ResultEntry third = node.completes("dave", bag, "forty-two");
    assertThat(third.replica).as("a copy more, for they disagreed").isEqualTo(2);
    TaskOutcome outcome = node.awaitsOutcome(bag, 0);
    node.verifierLeavesWithAllDone();
    assertThat(outcome.outputDigest()).contains(third.outputDigest);
    assertThat(outcome.paidMicros()).isEqualTo(2 * PAY);
    assertThat(node.earned("bob")).isEqualTo(PAY);
    assertThat(node.earned("carol")).isZero();
    assertThat(node.earned("dave")).isEqualTo(PAY);
  }

  @Test
  @Tag("S2")
  void whatARevokedLauncherClaimedCountsForNoQuorumAndRunsAgain() throws Exception {
    String bag = node.submits(1, "replication: 2");
    for (String launcher : List.of("eve", "carol", "dave")) {
      node.contracts(launcher, bag);
    }
    ResultEntry hers = node.completes("eve", bag, "forty-two");
    node.verifierLeavesWithAllDone();
    node.verifies(node.space(), node.bags());

    node.revokes("eve");
    VerifierNode.awaits("her copy is there again").until(() -> node.waiting(bag) == 2);
    List<ResultEntry> others =
        List.of(
            node.completes("carol", bag, "forty-two"), node.completes("dave", bag, "forty-two"));
    assertThat(others).extracting(result -> result.replica).containsExactlyInAnyOrder(0, 1);
    assertThat(node.awaitsOutcome(bag, 0).outputDigest()).contains(hers.outputDigest);
    node.revokes("carol");
    node.verifierLeavesWithAllDone();
    assertThat(node.earned("eve")).isZero();
    assertThat(node.earned("carol")).as("what was decided stays paid").isEqualTo(PAY);
    assertThat(node.earned("dave")).isEqualTo(PAY);
    assertThat(node.waiting(bag)).isZero();
  }

  @Test
  @Tag("S2")
  void whoWasRevokedWhileNobodyVerifiedIsSetAsideAfterwards() throws Exception {
    String bag = node.submits(1, "replication: 2");
    for (String launcher : List.of("eve", "carol", "dave")) {
      node.contracts(launcher, bag);
    }
    node.completes("eve", bag, "forty-two");
    node.verifierLeavesWithAllDone();

    node.comesBackAfterRevoking("eve");
    VerifierNode.awaits("her copy is there again").until(() -> node.waiting(bag) == 2);
    node.completes("carol", bag, "forty-two");
    node.completes("dave", bag, "forty-two");
    node.awaitsOutcome(bag, 0);
    node.verifierLeavesWithAllDone();
    assertThat(node.earned("eve")).isZero();
    assertThat(node.earned("carol")).isEqualTo(PAY);
    assertThat(node.earned("dave")).isEqualTo(PAY);
  }

  @Test
  void aResultUnderAnotherLaunchersContractIsRefusedUnpaidAndItsTaskRunsAgain() throws Exception {
    String bag = node.submits(1, "");
    node.contracts("bob", bag);
    node.completesUnder("bob", "eve", bag, "a lie");
    ResultEntry honest = node.completes("bob", bag, "forty-two");
    assertThat(honest.attempt).isEqualTo(2);
    assertThat(honest.faults).as("the task itself has not failed").isZero();

    assertThat(node.awaitsOutcome(bag, 0))
        .returns("bob", TaskOutcome::launcherId)
        .returns(Optional.of(honest.outputDigest), TaskOutcome::outputDigest);
    node.verifierLeavesWithAllDone();
    assertThat(node.earned("bob")).isEqualTo(PAY);
    assertThat(node.earned("eve")).isZero();
  }

  /** The space as it is, remembering which transaction was begun last. */
  private static TupleSpace seesTransactions(TupleSpace real, AtomicReference<Transaction> latest) {
    return (TupleSpace)
        Proxy.newProxyInstance(
            TupleSpace.class.getClassLoader(),
            new Class<?>[] {TupleSpace.class},
            (self, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                if (result instanceof Transaction.Created created) {
                  latest.set(created.transaction);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** The real register; the first time, the transaction's lease is over when it has answered. */
  private record LosingRegister(
      TaskRegister real, AtomicReference<Transaction> latest, List<Boolean> answers)
      implements TaskRegister {
    LosingRegister(TaskRegister real, AtomicReference<Transaction> latest) {
      this(real, latest, new CopyOnWriteArrayList<>());
    }

    @Override
    public Optional<Terms> termsOfOpen(String jobId) {
      return real.termsOfOpen(jobId);
    }

    @Override
    public Optional<TaskEntry> task(String jobId, int taskIndex) {
      return real.task(jobId, taskIndex);
    }

    @Override
    public boolean ended(String jobId, TaskOutcome outcome) {
      boolean first = real.ended(jobId, outcome);
      if (answers.isEmpty()) {
        try {
          latest.get().abort();
        } catch (TransactionException | RemoteException e) {
          throw new AssertionError(e);
        }
      }
      answers.add(first);
      return first;
    }
  }
}

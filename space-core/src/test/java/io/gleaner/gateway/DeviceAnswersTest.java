package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a launcher answers for the tasks that it took, and how it may not. */
@Timeout(120)
@Tag("S3")
class DeviceAnswersTest extends WithDevice {
  private static final int ROUNDS = 100;
  private static final Reply.Refusal FORBIDDEN = Reply.Refusal.FORBIDDEN;

  @Test
  void aResultComesInTheTransactionThatTookExactlyItsTask() throws Exception {
    market.write(task(JOB, 3, 2), null, LONG);
    Transaction.Created other = device.begin(Duration.ofMinutes(10));
    Transaction.Created begun = device.begin(Duration.ofMinutes(10));
    assertThat(device.take(TaskEntry.ofJob(JOB), begun.transaction, 0)).isNotNull();
    String demand = "transaction that took exactly this task";
    refused(() -> device.write(result(3, 2), null, LONG), demand);
    refused(() -> device.write(result(3, 2), other.transaction, LONG), demand);
    refused(() -> device.write(result(3, 1), begun.transaction, LONG), demand);
    refused(() -> device.write(result(4, 2), begun.transaction, LONG), demand);
    ResultEntry ofOthers = result(3, 2);
    ofOthers.launcherId = "desktop";
    refused(() -> device.write(ofOthers, begun.transaction, LONG), "launcherId");
    ResultEntry open = result(3, 2);
    open.attempt = null;
    refused(() -> device.write(open, begun.transaction, LONG), demand);

    ResultEntry manyFaults = result(3, 2);
    manyFaults.faults = 1_000_000;
    refused(() -> device.write(manyFaults, begun.transaction, LONG), demand);

    TaskEntry changed = task(JOB, 3, 2);
    changed.faults = 3;
    refused(() -> device.write(changed, begun.transaction, LONG), demand);
    refused(
        () ->
            device.write(
                List.of(result(3, 2), task(JOB, 3, 2)), begun.transaction, List.of(LONG, LONG)),
        demand);
    begun.transaction.abort();

    Transaction.Created again = device.begin(Duration.ofMinutes(10));
    assertThat(device.take(TaskEntry.ofJob(JOB), again.transaction, 4000)).isNotNull();
    device.write(task(JOB, 3, 2), again.transaction, LONG);
    refused(() -> device.write(result(3, 2), again.transaction, LONG), demand);
    again.transaction.commit();
    Transaction.Created last = device.begin(Duration.ofMinutes(10));
    assertThat(device.take(TaskEntry.ofJob(JOB), last.transaction, 4000)).isNotNull();
    device.write(result(3, 2), last.transaction, LONG);
    refused(() -> device.write(result(3, 2), last.transaction, LONG), demand);
    last.transaction.commit();
    assertThatThrownBy(() -> device.write(result(3, 2), last.transaction, LONG))
        .isInstanceOf(TransactionException.class);
    other.transaction.abort();
    assertThat(market.take(ResultEntry.ofJob(JOB), null, LONG)).isNotNull();
  }

  @Test
  @Tag("F11")
  void whatItTookByAnotherNodeItAnswersHere() throws Exception {
    market.write(task(JOB, 5, 1), null, LONG);
    market.write(task(JOB, 6, 1), null, LONG);
    try (TestGateway other = TestGateway.startUsual(engine, folder.resolve("other"));
        GatewayConnection there = other.patientLauncherOf("bob");
        TupleSpace elsewhere = there.space("market")) {
      Transaction.Created begun = elsewhere.begin(Duration.ofMinutes(10));
      assertThat(elsewhere.take(task(JOB, 5, 1), begun.transaction, 4000)).isNotNull();
      assertThat(elsewhere.take(task(JOB, 6, 1), begun.transaction, 4000)).isNotNull();
      elsewhere.write(result(6, 1), begun.transaction, LONG);
      long number = numberOf(begun);

      assertThat(answer(write(result(6, 1), number))).as("a second answer").isEqualTo(FORBIDDEN);
      assertThat(answer(write(task(JOB, 6, 1), number))).isEqualTo(FORBIDDEN);
      assertThat(answer(write(result(5, 2), number))).isEqualTo(FORBIDDEN);
      assertThat(answer(write(result(5, 1), number + 1)))
          .isEqualTo(Reply.Refusal.UNKNOWN_TRANSACTION);
      assertThat(execute(write(result(5, 1), number))).isInstanceOf(Reply.Written.class);
      assertThat(answer(write(task(JOB, 5, 1), number))).isEqualTo(FORBIDDEN);
      begun.transaction.commit();
    }
    Collection<?> results = market.take(List.of(ResultEntry.ofJob(JOB)), null, LONG, 10);
    assertThat(results).hasSize(2);
  }

  @Test
  void anAnswerThatWasGivenBeforeProvesNothing() throws Exception {
    market.write(task(JOB, 20, 1), null, LONG);
    long session = bob.engine().open("raw", event -> {}).get(60, TimeUnit.SECONDS);
    long number = ((Reply.Began) execute(session, 1, new Command.Begin(LONG))).transaction();
    assertThat(execute(session, 2, match(Command.Mode.READ, task(JOB, 20, 1), 0)))
        .isInstanceOf(Reply.Matched.class);
    execute(session, 2, match(Command.Mode.TAKE, task(JOB, 20, 1), number));
    assertThat(answer(write(result(20, 1), number))).as("it was read only").isEqualTo(FORBIDDEN);

    execute(session, 3, match(Command.Mode.TAKE, task(JOB, 20, 1), number));
    assertThat(execute(session, 4, write(result(20, 1), number))).isInstanceOf(Reply.Written.class);
    execute(session, 3, match(Command.Mode.TAKE, task(JOB, 20, 1), number));
    assertThat(answer(write(result(20, 1), number))).as("a second answer").isEqualTo(FORBIDDEN);
    assertThat(answer(write(task(JOB, 20, 1), number))).as("and back").isEqualTo(FORBIDDEN);
    execute(session, 5, new Command.Commit(number));
    assertThat(market.take(ResultEntry.ofJob(JOB), null, LONG)).isNotNull();
  }

  @Test
  void twoWritesOfOneTaskAtOnceAreOne() throws Exception {
    market.write(task(JOB, 21, 1), null, LONG);
    Transaction.Created begun = device.begin(Duration.ofMinutes(10));
    assertThat(device.take(task(JOB, 21, 1), begun.transaction, 4000)).isNotNull();
    long number = numberOf(begun);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    try (GatewayConnection second = gateway.patientLauncherOf("bob")) {
      for (GatewayConnection link : List.of(bob, second)) {
        for (int i = 0; i < 4; i++) {
          long session = link.engine().open("raw", event -> {}).get(60, TimeUnit.SECONDS);
          replies.add(link.engine().execute(session, 1, 1, write(result(21, 1), number)));
        }
      }
      int written = 0;
      for (CompletableFuture<Reply> each : replies) {
        written += each.get(60, TimeUnit.SECONDS) instanceof Reply.Written ? 1 : 0;
      }
      assertThat(written).isEqualTo(1);
    }
    begun.transaction.commit();
    Collection<?> results = market.take(List.of(ResultEntry.ofJob(JOB)), null, LONG, 10);
    assertThat(results).hasSize(1);
  }

  @Test
  @Tag("F7")
  void ofAnswersByTwoNodesInTheSameMomentOneIsWritten() throws Exception {
    try (TestGateway other = TestGateway.startUsual(engine, folder.resolve("two"));
        GatewayConnection there = other.patientLauncherOf("bob")) {
      List<SpaceEngine> nodes = List.of(bob.engine(), there.engine());
      for (int round = 0; round < ROUNDS; round++) {
        int task = 1_000 + round;
        market.write(task(JOB, task, 1), null, LONG);
        Transaction.Created begun = device.begin(Duration.ofMinutes(10));
        assertThat(device.take(task(JOB, task, 1), begun.transaction, 4000)).isNotNull();
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        List<Long> sessions = new ArrayList<>();
        for (SpaceEngine node : nodes) {
          sessions.add(node.open("raw", event -> {}).get(60, TimeUnit.SECONDS));
        }
        for (int i = 0; i < nodes.size(); i++) {
          Command answer =
              round % 3 == i
                  ? write(task(JOB, task, 1), numberOf(begun))
                  : write(result(task, 1), numberOf(begun));
          replies.add(nodes.get(i).execute(sessions.get(i), 1, 1, answer));
        }
        int written = 0;
        for (CompletableFuture<Reply> each : replies) {
          written += each.get(60, TimeUnit.SECONDS) instanceof Reply.Written ? 1 : 0;
        }
        assertThat(written).as("round %s", round).isEqualTo(1);
        begun.transaction.abort();
        assertThat(market.take(task(JOB, task, 1), null, LONG)).isNotNull();
        for (int i = 0; i < nodes.size(); i++) {
          nodes.get(i).close(sessions.get(i)).get(60, TimeUnit.SECONDS);
        }
      }
    }
  }
}

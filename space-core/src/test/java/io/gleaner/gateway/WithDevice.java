package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.server.ServerTransaction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests in a market behind a real gateway, with two bags and the launcher 'laptop' of bob's, which
 * has a contract for the first.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WithDevice {
  static final String JOB = "b-mine";
  static final String OTHER = "b-others";
  static final long LONG = 3_600_000;

  Path folder;
  HazelcastSpace engine;
  TestGateway gateway;
  GatewayConnection bob;
  TupleSpace market;
  TupleSpace device;

  @BeforeAll
  final void aMarketWithALauncher(@TempDir Path temporary) throws Exception {
    folder = temporary;
    engine = HazelcastSpace.start(SpaceSettings.defaults());
    gateway = TestGateway.startUsual(engine, folder);
    market = SpaceClient.open(engine, "market", "market");
    bob = gateway.patientLauncherOf("bob");
    device = bob.space("market");
    market.write(contract("laptop", JOB), null, Lease.FOREVER);
    market.write(contract("desktop", OTHER), null, Lease.FOREVER);
    for (String job : List.of(JOB, OTHER)) {
      JobEntry open = JobEntry.ofJob(job);
      open.state = JobState.OPEN;
      market.write(open, null, Lease.FOREVER);
    }
  }

  @AfterAll
  final void closes() throws Exception {
    device.close();
    bob.close();
    market.close();
    gateway.close();
    engine.close();
  }

  static Command match(Command.Mode mode, Entry template, long transaction) {
    return new Command.Match(
        "market", mode, List.of(EntryCodec.encode(template)), transaction, 0, 1);
  }

  Reply execute(long session, long sequence, Command command) throws Exception {
    return bob.engine().execute(session, sequence, 1, command).get(60, TimeUnit.SECONDS);
  }

  static Reply execute(GatewayConnection client, Command command) throws Exception {
    long session = client.engine().open("raw", event -> {}).get(60, TimeUnit.SECONDS);
    return client.engine().execute(session, 1, 1, command).get(60, TimeUnit.SECONDS);
  }

  static Command write(Entry entry, long transaction) {
    return new Command.Write(
        "market", List.of(EntryCodec.encode(entry)), List.of(LONG), transaction);
  }

  static long numberOf(Transaction.Created begun) {
    return ((ServerTransaction) begun.transaction).id;
  }

  Reply execute(Command command) throws Exception {
    return execute(bob, command);
  }

  Reply.Refusal answer(Command command) {
    try {
      return ((Reply.Refused) execute(command)).code();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static void refused(ThrowingCallable call, String why) {
    assertThatThrownBy(call).isInstanceOf(SecurityException.class).hasMessageContaining(why);
  }

  static ContractEntry contract(String launcher, String job) {
    ContractEntry contract = ContractEntry.ofLauncher(launcher);
    contract.contractId = "c-" + launcher + job;
    contract.jobId = job;
    return contract;
  }

  static OfferEntry offer(String launcher, String owner) {
    OfferEntry offer = OfferEntry.ofLauncher(launcher);
    offer.owner = owner;
    return offer;
  }

  static TaskEntry task(String job, int index, int attempt) {
    TaskEntry task = TaskEntry.ofJob(job);
    task.shard = TaskEntry.shardOf(job, index);
    task.taskIndex = index;
    task.replica = 0;
    task.attempt = attempt;
    return task;
  }

  static ResultEntry result(int index, int attempt) {
    ResultEntry result = ResultEntry.ofJob(JOB);
    result.taskIndex = index;
    result.replica = 0;
    result.attempt = attempt;
    result.launcherId = "laptop";
    result.outcome = Outcome.COMPLETED;
    return result;
  }
}

package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.TaskEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.jini.core.event.RemoteEvent;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The JavaSpace05 operations behave alike in the node and through its gateway. */
@Timeout(120)
@SuppressWarnings({"unchecked", "rawtypes"}) // the interface is older than generics
class RemoteSpaceTest {
  private static final long LONG = 60_000;

  /** Where the program is. */
  enum Place {
    EMBEDDED,
    REMOTE
  }

  @TempDir static Path folder;
  private static HazelcastSpace engine;
  private static TestGateway gateway;
  private static GatewayConnection client;

  @BeforeAll
  static void aNodeWithAGateway() throws Exception {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
    gateway = TestGateway.start(engine, folder, TestGateway::unhurried);
    client = gateway.patientClient();
  }

  @AfterAll
  static void closes() throws Exception {
    client.close();
    gateway.close();
    engine.close();
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void whatIsWrittenIsReadAndTakenByTemplate(Place place) throws Exception {
    try (TupleSpace space = space(place, "take")) {
      space.write(task("a", 1), null, LONG);
      space.write(task("a", 2), null, LONG);

      assertThat(((TaskEntry) space.read(task("a", 2), null, 0)).taskIndex).isEqualTo(2);
      assertThat(space.takeIfExists(task("b", null), null, 0)).isNull();
      assertThat(space.take(task("a", 1), null, 0)).isInstanceOf(TaskEntry.class);
      assertThat(space.take(null, null, 0)).as("anything").isInstanceOf(TaskEntry.class);
      assertThat(space.readIfExists(null, null, 0)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void batchesAreWrittenListedAndTaken(Place place) throws Exception {
    try (TupleSpace space = space(place, "batch")) {
      List<TaskEntry> tasks = List.of(task("a", 1), task("a", 2), task("a", 3));
      assertThat(space.write(tasks, null, List.of(LONG, LONG, LONG))).hasSize(3);

      MatchSet all = space.contents(List.of(task("a", null)), null, LONG, 100);
      int listed = 0;
      while (all.next() != null) {
        listed++;
      }
      assertThat(listed).isEqualTo(3);
      assertThat(space.take(List.of(task("a", null)), null, 0, 2)).hasSize(2);
      assertThat(space.take(List.of(task("a", null)), null, 0, 5000)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aTransactionHidesUntilItCommitsAndGivesBackWhenItAborts(Place place) throws Exception {
    try (TupleSpace space = space(place, "transaction")) {
      Transaction.Created first = space.begin(Duration.ofSeconds(30));
      space.write(task("a", 1), first.transaction, LONG);
      assertThat(space.readIfExists(task("a", 1), null, 0)).isNull();
      first.transaction.commit();
      assertThat(space.read(task("a", 1), null, 0)).isNotNull();

      Transaction.Created second = space.begin(Duration.ofSeconds(30));
      assertThat(space.take(task("a", 1), second.transaction, 0)).isNotNull();
      assertThat(space.take(task("a", 1), null, 0)).isNull();
      second.transaction.abort();
      assertThat(space.take(task("a", 1), null, 1000)).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aTransactionWhoseLeaseRanOutGivesTheTaskBack(Place place) throws Exception {
    try (TupleSpace space = space(place, "lease")) {
      space.write(task("a", 1), null, LONG);
      Transaction.Created lost = space.begin(Duration.ofMillis(300));
      assertThat(space.take(task("a", 1), lost.transaction, 0)).isNotNull();
      assertThat(space.take(task("a", 1), null, LONG)).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aLeaseIsRenewedCancelledAndEnds(Place place) throws Exception {
    try (TupleSpace space = space(place, "leases")) {
      Lease kept = space.write(task("a", 1), null, 500);
      kept.renew(LONG);
      Lease cancelled = space.write(task("a", 2), null, LONG);
      cancelled.cancel();
      space.write(task("a", 3), null, 200);
      assertThat(space.readIfExists(task("a", 2), null, 0)).isNull();
      await().until(() -> space.readIfExists(task("a", 3), null, 0) == null);
      await().pollDelay(Duration.ofMillis(500)).until(() -> true);
      assertThat(space.readIfExists(task("a", 1), null, 0)).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aTakeWaitsForAnEntryAndAListenerHearsOfIt(Place place) throws Exception {
    try (TupleSpace space = space(place, "wait")) {
      BlockingQueue<RemoteEvent> events = new LinkedBlockingQueue<>();
      RemoteEventListener listener = events::add;
      space.notify(task("a", null), null, listener, LONG, null);
      CompletableFuture<Object> taken =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return space.take(task("a", 1), null, LONG);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      space.write(new JobEntry(), null, LONG);
      space.write(task("a", 1), null, LONG);
      assertThat(taken.get(20, TimeUnit.SECONDS)).isInstanceOf(TaskEntry.class);
      assertThat(events.poll(20, TimeUnit.SECONDS)).isNotNull();
      assertThat(space.take(task("a", 9), null, JavaSpace.NO_WAIT)).isNull();
    }
  }

  private static TupleSpace space(Place place, String name) throws Exception {
    String own = name + "-" + place;
    return place == Place.REMOTE
        ? client.space(own)
        : SpaceClient.open(engine, "ada/" + own, "test");
  }

  private static TaskEntry task(String job, Integer index) {
    TaskEntry task = new TaskEntry();
    task.jobId = job;
    task.taskIndex = index;
    return task;
  }
}

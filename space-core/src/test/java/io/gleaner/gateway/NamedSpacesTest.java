package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.TaskEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.event.RemoteEvent;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several named spaces in one node, isolated from each other whichever way they are reached. */
@Timeout(120)
@SuppressWarnings("unchecked") // the interface is older than generics
class NamedSpacesTest {
  private static final long LONG = 60_000;

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

  @Test
  void whatIsInOneSpaceIsNotInTheOthers() throws Exception {
    try (TupleSpace red = client.space("red");
        TupleSpace blue = client.space("blue");
        TupleSpace embedded = SpaceClient.open(engine, "ada/blue", "test")) {
      red.write(task("r", 1), null, Lease.FOREVER);
      blue.write(task("b", 2), null, Lease.FOREVER);
      for (TupleSpace each : List.of(blue, embedded)) {
        assertThat(each.read(task("r", null), null, JavaSpace.NO_WAIT)).isNull();
        assertThat(each.readIfExists(task("r", null), null, 100)).isNull();
        assertThat(((TaskEntry) each.read(null, null, JavaSpace.NO_WAIT)).jobId).isEqualTo("b");
        assertThat(each.contents(List.of(new TaskEntry()), null, LONG, 10).next())
            .extracting(entry -> ((TaskEntry) entry).jobId)
            .isEqualTo("b");
      }
      assertThat(embedded.take(new TaskEntry(), null, JavaSpace.NO_WAIT)).isNotNull();
      assertThat(blue.take(List.of(new TaskEntry()), null, JavaSpace.NO_WAIT, 10)).isEmpty();
      assertThat(red.take(new TaskEntry(), null, JavaSpace.NO_WAIT)).isNotNull();
    }
  }

  @Test
  void aNameMayBeAsLongHereAsInTheSpaceItself() throws Exception {
    try (TupleSpace longest = client.space("x".repeat(512 - "ada/".length()))) {
      longest.write(task("a", 1), null, LONG);
      assertThat(longest.take(new TaskEntry(), null, JavaSpace.NO_WAIT)).isNotNull();
    }
  }

  @Test
  void aNameThatIsNoneIsRefusedWhereItIsSaid() {
    assertThatThrownBy(() -> client.space(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected 1 to 512");
    assertThatThrownBy(() -> client.space("x".repeat(513)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client.space(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the name of a space is null");
  }

  @Test
  void waitsAndEventsAreNotForWhatHappensElsewhere() throws Exception {
    try (TupleSpace green = client.space("green");
        TupleSpace grey = SpaceClient.open(engine, "ada/grey", "test")) {
      LinkedBlockingQueue<RemoteEvent> heard = new LinkedBlockingQueue<>();
      green.notify(new TaskEntry(), null, heard::add, LONG, null);
      CompletableFuture<Entry> taken =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return green.take(new TaskEntry(), null, LONG);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      for (int i = 0; i < 10; i++) {
        grey.write(task("grey", i), null, Lease.FOREVER);
      }
      green.write(task("green", 1), null, Lease.FOREVER);
      assertThat(((TaskEntry) taken.get(60, TimeUnit.SECONDS)).jobId).isEqualTo("green");
      RemoteEvent first = heard.poll(60, TimeUnit.SECONDS);
      assertThat(first.getSequenceNumber()).as("nothing was heard of grey").isEqualTo(1);
      assertThat(grey.take(List.of(new TaskEntry()), null, JavaSpace.NO_WAIT, 100)).hasSize(10);
    }
  }

  @Test
  void aTransactionLocksNothingElsewhere() throws Exception {
    try (TupleSpace day = client.space("day");
        TupleSpace night = client.space("night")) {
      day.write(task("same", 1), null, Lease.FOREVER);
      night.write(task("same", 1), null, Lease.FOREVER);
      Transaction.Created begun = day.begin(Duration.ofSeconds(60));
      assertThat(day.take(task("same", 1), begun.transaction, JavaSpace.NO_WAIT)).isNotNull();
      assertThat(day.read(task("same", 1), null, JavaSpace.NO_WAIT)).isNull();
      assertThat(night.take(task("same", 1), null, JavaSpace.NO_WAIT)).isNotNull();
      begun.transaction.abort();
      assertThat(day.take(task("same", 1), null, LONG)).isNotNull();
      assertThat(night.read(task("same", 1), null, JavaSpace.NO_WAIT)).isNull();
    }
  }

  private static TaskEntry task(String job, Integer index) {
    TaskEntry task = new TaskEntry();
    task.jobId = job;
    task.taskIndex = index;
    return task;
  }
}

package io.gleaner.space;

import static io.gleaner.space.SpreadNotes.MANY;
import static io.gleaner.space.SpreadNotes.spread;
import static io.gleaner.space.SpreadNotes.takeMany;
import static io.gleaner.space.SpreadNotes.writeMany;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members come, leave and die; the space goes on. */
@Timeout(180)
class ClusterTest {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private TestCluster cluster;

  private TupleSpace startsWith(int members) throws Exception {
    cluster = TestCluster.of(members);
    return SpaceClient.open(cluster.member(0), "market", "test");
  }

  @AfterEach
  void endMembers() throws Exception {
    threads.shutdownNow();
    if (cluster != null) {
      cluster.close();
    }
    threads.awaitTermination(30, TimeUnit.SECONDS);
  }

  @Test
  void aMemberThatJoinsSharesTheCellsAndSeesEverything() throws Exception {
    TupleSpace space = startsWith(1);
    writeMany(space);
    HazelcastSpace second = cluster.joins();
    cluster.awaitSettled();
    takeMany(SpaceClient.open(second, "market", "test"), JavaSpace.NO_WAIT);
    assertThat(space.read(null, null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void whatIsAcknowledgedOutlivesTheMemberThatHadIt() throws Exception {
    TupleSpace space = startsWith(2);
    writeMany(space);
    cluster.kills(cluster.member(1));
    takeMany(space, JavaSpace.NO_WAIT);
  }

  @Test
  void aMemberThatLeavesTakesNothingWithIt() throws Exception {
    startsWith(2);
    TupleSpace second = SpaceClient.open(cluster.member(1), "market", "test");
    writeMany(second);
    List<Future<Entry>> waiting = blockedTakes(second, 1_000);
    cluster.leaves(cluster.member(0));
    takeMany(second, JavaSpace.NO_WAIT);
    wake(second, waiting, 1_000);
  }

  @Test
  void aBlockedTakeOutlivesTheMemberItWasBlockedOn() throws Exception {
    TupleSpace space = startsWith(2);
    List<Future<Entry>> waiting = blockedTakes(space, 0);
    cluster.kills(cluster.member(1));
    wake(space, waiting, 0);
  }

  private List<Future<Entry>> blockedTakes(TupleSpace space, int first) {
    return IntStream.range(first, first + 30)
        .mapToObj(n -> threads.submit(() -> space.take(spread(n), null, 150_000)))
        .toList();
  }

  private static void wake(TupleSpace space, List<Future<Entry>> waiting, int first)
      throws Exception {
    for (int i = 0; i < waiting.size(); i++) {
      space.write(spread(first + i), null, Lease.FOREVER);
    }
    for (Future<Entry> each : waiting) {
      assertThat(each.get(60, TimeUnit.SECONDS)).isNotNull();
    }
    assertThat(space.read(null, null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void aTransactionOutlivesItsCoordinatorAndItsParticipants() throws Exception {
    TupleSpace space = startsWith(2);
    writeMany(space);
    List<Transaction> open = new ArrayList<>();
    for (int n = 0; n < MANY; n++) {
      Transaction transaction = space.begin(Duration.ofMinutes(5)).transaction;
      assertThat(space.take(spread(n), transaction, JavaSpace.NO_WAIT)).isNotNull();
      space.write(new Note("done", n), transaction, Lease.FOREVER);
      open.add(transaction);
    }
    cluster.kills(cluster.member(1));
    for (int n = 0; n < MANY; n++) {
      if (n % 2 == 0) {
        open.get(n).commit();
      } else {
        open.get(n).abort();
      }
    }
    for (int n = 0; n < MANY; n++) {
      Entry expected = n % 2 == 0 ? new Note("done", n) : spread(n);
      assertThat(space.take(expected, null, JavaSpace.NO_WAIT)).as("entry %d", n).isNotNull();
    }
    assertThat(space.take(null, null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void eventsGoOnAfterTheLossOfAMember() throws Exception {
    startsWith(2);
    Set<Long> events = ConcurrentHashMap.newKeySet();
    HazelcastSpace first = cluster.member(0);
    long session =
        first.open("test", event -> events.add(event.sequence())).get(30, TimeUnit.SECONDS);
    assertThat(first.execute(session, 1, 1, register()).get(30, TimeUnit.SECONDS))
        .isInstanceOf(Reply.Registered.class);
    cluster.kills(cluster.member(1));
    TupleSpace space = SpaceClient.open(first, "market", "test");
    writeMany(space);
    await().atMost(Duration.ofSeconds(60)).until(() -> events.size() >= MANY);
  }

  @Test
  void aSessionGoesOnAtAnotherMember() throws Exception {
    startsWith(2);
    HazelcastSpace first = cluster.member(0);
    HazelcastSpace second = cluster.member(1);
    SessionName name = new SessionName("test", 4711);
    long session = first.open(name, 1, true, event -> {}).get(30, TimeUnit.SECONDS);
    cluster.kills(first);
    Set<Long> events = ConcurrentHashMap.newKeySet();
    assertThat(second.open(name, 2, false, event -> events.add(event.sequence())))
        .succeedsWithin(Duration.ofMinutes(1))
        .isEqualTo(session);
    assertThat(second.execute(session, 1, 1, register()).get(60, TimeUnit.SECONDS))
        .isInstanceOf(Reply.Registered.class);
    writeMany(SpaceClient.open(second, "market", "test"));
    await().atMost(Duration.ofMinutes(1)).until(() -> events.size() >= MANY);
  }

  private static Command register() {
    return new Command.Register(
        "market",
        List.of(io.gleaner.matching.EntryCodec.encode(new SpreadNote())),
        0,
        false,
        false,
        Lease.FOREVER);
  }

  @Test
  void aRequestThatIsRepeatedAtAnotherMemberHasItsEffectOnce() throws Exception {
    startsWith(2);
    HazelcastSpace first = cluster.member(0);
    HazelcastSpace second = cluster.member(1);
    long session = first.open("test", event -> {}).get(30, TimeUnit.SECONDS);
    Command.Write write =
        new Command.Write(
            "market",
            List.of(io.gleaner.matching.EntryCodec.encode((Entry) new Note("once", 1))),
            List.of(Lease.FOREVER),
            0);
    Reply reply = first.execute(session, 1, 1, write).get(30, TimeUnit.SECONDS);
    cluster.kills(first);
    assertThat(second.execute(session, 1, 1, write).get(60, TimeUnit.SECONDS)).isEqualTo(reply);
    TupleSpace space = SpaceClient.open(second, "market", "test");
    assertThat(space.take(new Note(), null, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.take(new Note(), null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  @Tag("F2")
  void membersThatComeAndDieUnderLoadLoseAndRepeatNothing() throws Exception {
    startsWith(2);
    try (ClusterLoad load = new ClusterLoad()) {
      load.runsOn(cluster.member(0));
      load.pipelinesOn(cluster.member(0));
      cluster.membersComeAndDieUnder(load, 3, 500, 1_000);
      load.endsWithEveryEntryTakenOnce();
    }
  }

  @Test
  @Tag("F11")
  void aRollingRestartUnderLoadLosesAndRepeatsNothing() throws Exception {
    startsWith(3);
    try (ClusterLoad load = new ClusterLoad()) {
      load.runsOn(cluster.member(0));
      for (int round = 0; round < 2; round++) {
        cluster.leaves(cluster.member(1));
        load.goesOnFor(500);
        cluster.joins();
        cluster.awaitSettled();
      }
      load.endsWithEveryEntryTakenOnce();
    }
  }

  @Test
  void whatNobodyHasAnyMoreIsNotServedAsEmpty() throws Exception {
    TupleSpace space = startsWith(3);
    writeMany(space);
    HazelcastSpace second = cluster.member(1);
    HazelcastSpace third = cluster.member(2);
    cluster.killsTogether(second, third);
    await().atMost(Duration.ofSeconds(60)).until(() -> cluster.member(0).member().lostCells() > 0);
    assertThatThrownBy(
            () -> {
              for (int n = 0; n < MANY; n++) {
                space.read(spread(n), null, JavaSpace.NO_WAIT);
              }
            })
        .hasMessageContaining("cells of the space are lost");
  }
}

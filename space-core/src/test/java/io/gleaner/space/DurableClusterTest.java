package io.gleaner.space;

import static io.gleaner.space.SpreadNotes.spread;
import static io.gleaner.space.SpreadNotes.takeMany;
import static io.gleaner.space.SpreadNotes.writeMany;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.storage.ServerSettings;
import io.gleaner.storage.StorageException;
import io.gleaner.storage.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several members of one space in a database of PostgreSQL, in this process. */
@Timeout(240)
class DurableClusterTest {
  private static final int PER_SIDE = 200;

  @TempDir Path folder;
  private ServerSettings server;
  private TestCluster cluster;

  @BeforeEach
  void makesADatabase() throws Exception {
    server = ServerSettings.of(TestStore.SERVER.in(folder), "gleaner", Optional.empty());
  }

  @AfterEach
  void endMembers() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private TupleSpace startsWith(int members) throws Exception {
    cluster = TestCluster.durable(server, members);
    return SpaceClient.open(cluster.member(0), "market", "test");
  }

  @Test
  @Tag("F2")
  void whatOwnerAndReplicaHadIsServedFromStorageWhenBothAreLost() throws Exception {
    TupleSpace space = startsWith(3);
    writeMany(space);
    cluster.killsTogether(cluster.member(1), cluster.member(2));
    takeMany(space, 60_000);
    assertThat(cluster.member(0).member().lostCells()).isZero();
  }

  @Test
  @Tag("F2")
  void membersThatComeAndDieUnderLoadLoseAndRepeatNothing() throws Exception {
    startsWith(2);
    try (ClusterLoad load = new ClusterLoad()) {
      load.runsOn(cluster.member(0));
      load.pipelinesOn(cluster.member(0));
      cluster.membersComeAndDieUnder(load, 2, 200, 500);
      load.endsWithEveryEntryTakenOnce();
    }
  }

  @Test
  @Tag("F11")
  void aRollingRestartUnderLoadLosesAndRepeatsNothing() throws Exception {
    startsWith(2);
    try (ClusterLoad load = new ClusterLoad()) {
      load.runsOn(cluster.member(0));
      cluster.leaves(cluster.member(1));
      load.goesOnFor(200);
      cluster.joins();
      cluster.awaitSettled();
      load.goesOnFor(200);
      load.endsWithEveryEntryTakenOnce();
    }
  }

  @Test
  @Tag("F3")
  void ofTwoMembersThatLoseEachOtherOneGoesOnWithAllThatWasAcknowledged() throws Exception {
    startsWith(2);
    goesOnAtOne(List.of(cluster.member(0)), List.of(cluster.member(1)));
  }

  @Test
  @Tag("F3")
  void ofThreeMembersTheTwoThatSeeEachOtherGoOn() throws Exception {
    startsWith(3);
    Set<HazelcastSpace> left =
        goesOnAtOne(List.of(cluster.member(2)), List.of(cluster.member(0), cluster.member(1)));
    assertThat(left).containsExactlyInAnyOrder(cluster.member(0), cluster.member(1));
  }

  /**
   * Clients of both sides write while the network breaks; those of one of them are told no more.
   */
  private Set<HazelcastSpace> goesOnAtOne(List<HazelcastSpace> some, List<HazelcastSpace> others)
      throws Exception {
    Side one = new Side(some.get(0), 0);
    Side other = new Side(others.get(0), PER_SIDE);
    one.writes(PER_SIDE / 4);
    other.writes(PER_SIDE / 4);
    TestCluster.splits(some, others);
    one.writes(PER_SIDE);
    other.writes(PER_SIDE);
    await("one side closes")
        .atMost(Duration.ofSeconds(60))
        .until(() -> one.isRefused() != other.isRefused());
    Side winner = one.isRefused() ? other : one;
    CompletableFuture.allOf(winner.replies.toArray(CompletableFuture[]::new))
        .get(60, TimeUnit.SECONDS);
    Set<Integer> acknowledged = new HashSet<>(one.acknowledged());
    acknowledged.addAll(other.acknowledged());
    TupleSpace space = SpaceClient.open(winner.member, "market", "looks");
    List<Integer> found = new ArrayList<>();
    for (Entry entry = space.take(new SpreadNote(), null, 2_000);
        entry != null;
        entry = space.take(new SpreadNote(), null, JavaSpace.NO_WAIT)) {
      found.add(((SpreadNote) entry).number);
    }
    assertThat(found).doesNotHaveDuplicates().containsAll(acknowledged);
    assertThat(winner.acknowledged()).as("answered at the side that goes on").hasSize(PER_SIDE);
    return one.isRefused() ? Set.copyOf(others) : Set.copyOf(some);
  }

  /** A client of one member, with many requests under way. */
  private static final class Side {
    final HazelcastSpace member;
    private final int first;
    private final long session;
    private final List<CompletableFuture<Reply>> replies = new ArrayList<>();

    Side(HazelcastSpace member, int first) {
      this.member = member;
      this.first = first;
      this.session = member.open("side " + first, event -> {}).join();
    }

    void writes(int until) {
      while (replies.size() < until) {
        int number = first + replies.size();
        Command write =
            new Command.Write(
                "market", List.of(EntryCodec.encode(spread(number))), List.of(Lease.FOREVER), 0);
        replies.add(member.execute(session, replies.size() + 1, 1, write));
      }
    }

    /** Whether the member has closed; all that was asked has an answer then. */
    boolean isRefused() {
      return replies.stream().allMatch(CompletableFuture::isDone)
          && replies.stream().anyMatch(CompletableFuture::isCompletedExceptionally);
    }

    Set<Integer> acknowledged() {
      Set<Integer> numbers = new HashSet<>();
      IntStream.range(0, replies.size())
          .filter(i -> isWritten(replies.get(i)))
          .forEach(i -> numbers.add(first + i));
      return numbers;
    }

    private static boolean isWritten(CompletableFuture<Reply> reply) {
      return reply.isDone()
          && !reply.isCompletedExceptionally()
          && reply.join() instanceof Reply.Written;
    }
  }

  @Test
  void ofTwoColdStartsThatCannotSeeEachOtherOneAcknowledges() throws Exception {
    try (HazelcastSpace first = alone();
        HazelcastSpace second = alone()) {
      Side one = new Side(second, 0);
      one.writes(PER_SIDE / 4);
      assertThatThrownBy(() -> first.open("late", event -> {}).join())
          .hasMessageContaining("the space is closed");
      CompletableFuture.allOf(one.replies.toArray(CompletableFuture[]::new)).join();
      assertThat(one.acknowledged()).hasSize(PER_SIDE / 4);
    }
  }

  private HazelcastSpace alone() {
    return HazelcastSpace.startDurable(KilledProgram.SETTINGS, server);
  }

  @Test
  void aMemberOfAnotherDatabaseOrOfNoneIsRefused() throws Exception {
    startsWith(1);
    SpaceSettings joining =
        new SpaceSettings(
            cluster.next().withPatience(Duration.ofSeconds(1)),
            61,
            2,
            io.gleaner.space.core.Limits.DEFAULT);
    ServerSettings other =
        ServerSettings.of(TestStore.SERVER.in(folder), "gleaner", Optional.empty());
    assertThatThrownBy(() -> HazelcastSpace.startDurable(joining, other))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("Give all members the same one");
    assertThatThrownBy(() -> HazelcastSpace.start(joining))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no member of a space answers");
    EncodedEntry still = EntryCodec.encode(spread(1));
    long session = cluster.member(0).open("test", event -> {}).join();
    assertThat(
            cluster
                .member(0)
                .execute(
                    session,
                    1,
                    1,
                    new Command.Write("market", List.of(still), List.of(Lease.FOREVER), 0))
                .join())
        .isInstanceOf(Reply.Written.class);
  }
}

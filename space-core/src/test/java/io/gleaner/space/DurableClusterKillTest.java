package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EntryCodec;
import io.gleaner.secrets.Secret;
import io.gleaner.space.core.Ids;
import io.gleaner.storage.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import net.jini.core.entry.Entry;
import net.jini.core.transaction.server.TransactionConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members of a space in a database of PostgreSQL are processes that are killed in the middle of
 * what their clients do; afterwards each step of each client has had its effect once. {@code
 * -Dgleaner.rounds} says how often.
 */
@Timeout(600)
class DurableClusterKillTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int ROUNDS = Integer.getInteger("gleaner.rounds", 1);

  private final long seed = Long.getLong("gleaner.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final Secret secret = Secret.random();
  private final List<KilledMember> members = new ArrayList<>();

  @TempDir Path folder;
  private String database;

  @BeforeEach
  void makesADatabase() throws Exception {
    System.out.println("-Dgleaner.seed=" + seed);
    database = TestStore.SERVER.in(folder);
  }

  @AfterEach
  void endMembers() {
    members.forEach(KilledMember::close);
  }

  private KilledMember joins(KilledClients clients, int first, List<String> join) throws Exception {
    KilledMember member = KilledMember.run(database, secret, first, join, clients);
    members.add(member);
    return member;
  }

  private void goesOnFor(KilledClients clients, int steps) {
    int goal = clients.steps() + steps;
    await().atMost(PATIENCE).until(() -> clients.steps() >= goal);
  }

  @Test
  @Tag("F2")
  @Tag("F7")
  void allMembersAreKilledAtOnceAndTheSpaceStartsAnewWithAllThatWasAcknowledged() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      KilledClients clients = new KilledClients();
      KilledMember first = joins(clients, 0, List.of());
      KilledMember second = joins(clients, KilledProgram.CLIENTS, List.of(first.address()));
      second.address();
      goesOnFor(clients, 100 + random.nextInt(1_500));
      KilledMember.kill(first, second);
      try (HazelcastSpace anew = KilledMember.start(database, secret, List.of())) {
        clients.areRightIn(anew);
      }
    }
  }

  @Test
  @Tag("F2")
  @Tag("F7")
  void membersThatAreKilledTogetherAreReplacedByTheOneThatIsLeft() throws Exception {
    try (HazelcastSpace left = KilledMember.start(database, secret, List.of())) {
      List<String> join = List.of(left.member().address());
      for (int round = 0; round < ROUNDS; round++) {
        KilledClients clients = new KilledClients();
        KilledMember second = joins(clients, 0, join);
        KilledMember third = joins(clients, KilledProgram.CLIENTS, join);
        second.address();
        third.address();
        await().atMost(PATIENCE).until(() -> left.member().isSettled());
        goesOnFor(clients, 100 + random.nextInt(1_500));
        // First the one, so that cells are on their way, or both at the same time.
        if (random.nextBoolean()) {
          KilledMember.kill(second);
          goesOnFor(clients, 50);
        }
        KilledMember.kill(second, third);
        clients.areRightIn(left);
      }
    }
  }

  /** {@code -Dgleaner.freezes=true}: it takes half a minute, most of it nothing but patience. */
  @Test
  @EnabledIfSystemProperty(named = "gleaner.freezes", matches = "true")
  void aMemberThatWasFrozenUntilOthersWentOnEndsAndJoinsAgain() throws Exception {
    try (HazelcastSpace left = KilledMember.start(database, secret, List.of())) {
      List<String> join = List.of(left.member().address());
      KilledClients clients = new KilledClients();
      KilledMember frozen = joins(clients, 0, join);
      frozen.address();
      await().atMost(PATIENCE).until(() -> left.member().isSettled());
      goesOnFor(clients, 100);
      frozen.signals("STOP");
      await()
          .atMost(PATIENCE)
          .until(() -> left.member().members() == 1 && left.member().isSettled());
      long session = left.open("meanwhile", event -> {}).join();
      assertThat(run(left, session, 1, write(new Note("meanwhile", 1), 0, Long.MAX_VALUE)))
          .isInstanceOf(Reply.Written.class);
      frozen.signals("CONT");
      assertThat(frozen.endsWithin(PATIENCE.toMillis())).isTrue();
      clients.areRightIn(left);

      KilledClients others = new KilledClients();
      joins(others, KilledProgram.CLIENTS, join).address();
      await()
          .atMost(PATIENCE)
          .until(() -> left.member().members() == 2 && left.member().isSettled());
      goesOnFor(others, 100);
    }
  }

  @Test
  @Tag("F2")
  void transactionsOverMembersAreWholeThoughAllOfThemAreKilled() throws Exception {
    String all = "found " + IntStream.range(0, TokensProgram.TOKENS).boxed().toList();
    for (int round = 0; round <= ROUNDS; round++) {
      Queue<String> said = new ConcurrentLinkedQueue<>();
      String task = round == 0 ? KilledMember.MAKES_TOKENS : KilledMember.FINDS_TOKENS;
      KilledMember first = KilledMember.run(database, secret, task, List.of(), said::add);
      members.add(first);
      await()
          .atMost(PATIENCE)
          .until(() -> said.stream().anyMatch(line -> line.startsWith("found ")));
      assertThat(said).contains(all);
      KilledMember second =
          KilledMember.run(
              database,
              secret,
              KilledMember.MOVES_TOKENS,
              List.of(first.address()),
              System.out::println);
      members.add(second);
      second.address();
      assertThat(first.endsWithin(random.nextInt(2_000))).isFalse();
      KilledMember.kill(first, second);
    }
  }

  @Test
  void aPreparedTransactionAndLeasesAreThereWhenAllMembersWereKilled() throws Exception {
    KilledClients clients = new KilledClients();
    KilledMember first = joins(clients, 0, List.of());
    KilledMember second = joins(clients, KilledProgram.CLIENTS, List.of(first.address()));
    long session;
    long transaction;
    Reply.Granted lease;
    try (HazelcastSpace third =
        KilledMember.start(database, secret, List.of(first.address(), second.address()))) {
      session = third.open("takes part", event -> {}).join();
      run(third, session, 1, write(new Note("task", 1), 0, Long.MAX_VALUE));
      Command.BeginForeign begins = new Command.BeginForeign("manager", "proxy", 7, 60_000);
      transaction = ((Reply.Began) run(third, session, 2, begins)).transaction();
      run(third, session, 3, take(new Note("task", null), transaction));
      run(third, session, 4, write(new Note("result", 1), transaction, Long.MAX_VALUE));
      assertThat(run(third, session, 5, new Command.Prepare(transaction)))
          .isEqualTo(new Reply.StateOf(TransactionConstants.PREPARED));
      Reply leased = run(third, session, 6, write(new Note("leased", 1), 0, 600_000L));
      lease = ((Reply.Written) leased).leases().get(0);
      KilledMember.kill(first, second);
      third.member().kill();
    }
    try (HazelcastSpace anew = KilledMember.start(database, secret, List.of())) {
      Command.ListForeign open = new Command.ListForeign(Ids.cellOf(transaction));
      assertThat(run(anew, session, 7, open))
          .isEqualTo(
              new Reply.ForeignOnes(
                  List.of(new Reply.Foreign("manager", "proxy", 7, transaction))));
      assertThat(run(anew, session, 8, new Command.RenewLease(lease.lease(), 600_000)))
          .isEqualTo(new Reply.Renewed(600_000));
      assertThat(run(anew, session, 9, new Command.Commit(transaction)))
          .isEqualTo(new Reply.Done());
      assertThat(run(anew, session, 10, take(new Note("result", null), 0)))
          .isEqualTo(new Reply.Matched(List.of(EntryCodec.encode(new Note("result", 1)))));
      assertThat(run(anew, session, 11, take(new Note("task", null), 0)))
          .isEqualTo(new Reply.Matched(List.of()));
      assertThat(run(anew, session, 12, take(new Note("leased", null), 0)))
          .isEqualTo(new Reply.Matched(List.of(EntryCodec.encode(new Note("leased", 1)))));
    }
  }

  private static Reply run(SpaceEngine engine, long session, long sequence, Command command) {
    return engine.execute(session, sequence, 1, command).join();
  }

  private static Command write(Entry entry, long transaction, long leaseMillis) {
    return new Command.Write(
        "test", List.of(EntryCodec.encode(entry)), List.of(leaseMillis), transaction);
  }

  private static Command take(Entry template, long transaction) {
    return new Command.Match(
        "test", Command.Mode.TAKE, List.of(EntryCodec.encode(template)), transaction, 0, 1);
  }
}

package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.core.Limits;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session lives as long as somebody holds it, and no longer. */
@Timeout(180)
class SessionLeaseTest {
  private static final Limits SHORT = Limits.DEFAULT.withSessionLeaseMillis(2_500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long FOREVER = Long.MAX_VALUE;

  @TempDir Path folder;

  @Test
  @Tag("F5")
  void whoIsHeardOfNoMoreHoldsNothingAndTheOthersGoOn() {
    try (HazelcastSpace space = HazelcastSpace.start(settings())) {
      long living = open(space);
      write(space, living, 1);
      long dead = open(space);
      takesUnderTransaction(space, dead);
      space.leave(dead, 0);
      awaitFree(space);
      assertThat(run(space, dead, 3, new Command.Begin(1)))
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              r -> assertThat(r.code()).isEqualTo(Reply.Refusal.OUTCOME_UNKNOWN));
      assertThat(run(space, living, 2, take(0, 0)))
          .isInstanceOfSatisfying(Reply.Matched.class, m -> assertThat(m.entries()).hasSize(1));
    }
  }

  @Test
  @Tag("F4")
  void whatAClientHeldThatDiedWithItsMemberIsFreeAgain() {
    try (TestCluster cluster = TestCluster.of(2, SHORT)) {
      HazelcastSpace staying = cluster.member(0);
      HazelcastSpace dying = cluster.member(1);
      write(staying, open(staying), 1);
      takesUnderTransaction(dying, open(dying));
      cluster.kills(dying);
      awaitFree(staying);
    }
  }

  @Test
  void whatClientsHeldWhoDoNotComeBackAfterARestartIsFreeAgain() {
    try (HazelcastSpace space = durable()) {
      write(space, open(space), 1);
      takesUnderTransaction(space, open(space));
    }
    try (HazelcastSpace space = durable()) {
      awaitFree(space);
    }
  }

  @Test
  void aSessionThatIsAskedForTwiceIsOpenedOnce() {
    try (HazelcastSpace space = HazelcastSpace.start(settings())) {
      long session = ask(space, "holder", true);
      assertThat(session).isNotZero();
      assertThat(ask(space, "holder", true)).isEqualTo(session);
      assertThat(ask(space, "holder", false)).isEqualTo(session);
      assertThat(ask(space, "other", false)).isZero();
      space.close(session).join();
      assertThat(ask(space, "holder", false)).isZero();
    }
  }

  private static long ask(HazelcastSpace space, String holder, boolean begins) {
    return space.open(new SessionName(holder, 4711), 0, begins, event -> {}).join();
  }

  private static SpaceSettings settings() {
    return new SpaceSettings(MemberSettings.alone(), 31, 2, SHORT);
  }

  private HazelcastSpace durable() {
    return HazelcastSpace.startDurable(settings(), StorageSettings.in(folder));
  }

  private static long open(HazelcastSpace space) {
    return space.open("holder", event -> {}).join();
  }

  private static void write(HazelcastSpace space, long session, long sequence) {
    EncodedEntry note = EntryCodec.encode(new Note("task", 1));
    assertThat(
            run(
                space,
                session,
                sequence,
                new Command.Write("s", List.of(note), List.of(FOREVER), 0)))
        .isInstanceOf(Reply.Written.class);
  }

  private static Command take(long transaction, long timeoutMillis) {
    EncodedEntry template = EntryCodec.encode(new Note());
    return new Command.Match(
        "s", Command.Mode.TAKE, List.of(template), transaction, timeoutMillis, 1);
  }

  private static void takesUnderTransaction(HazelcastSpace space, long session) {
    Reply.Began began = (Reply.Began) run(space, session, 1, new Command.Begin(FOREVER));
    assertThat(run(space, session, 2, take(began.transaction(), FOREVER)))
        .isInstanceOfSatisfying(Reply.Matched.class, m -> assertThat(m.entries()).hasSize(1));
  }

  /** Waits until nobody holds the entry any more. */
  private static void awaitFree(HazelcastSpace space) {
    long session = open(space);
    Command read =
        new Command.Match(
            "s", Command.Mode.READ, List.of(EntryCodec.encode(new Note())), 0, FOREVER, 1);
    await().atMost(PATIENCE).until(space.execute(session, 1, 1, read)::isDone);
    space.close(session).join();
  }

  private static Reply run(HazelcastSpace space, long session, long sequence, Command command) {
    return space.execute(session, sequence, 1, command).join();
  }
}

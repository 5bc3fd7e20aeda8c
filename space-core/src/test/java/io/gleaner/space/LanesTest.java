package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EntryCodec;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.space.MatchSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's sessions. */
@Timeout(60)
class LanesTest {

  /** Opens its sessions late. */
  private static final class LateEngine implements SpaceEngine {
    CompletableFuture<Long> opening = new CompletableFuture<>();
    final List<Long> closed = new ArrayList<>();

    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      return opening;
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long lowestUnanswered, Command command) {
      return CompletableFuture.completedFuture(new Reply.Done());
    }

    @Override
    public CompletableFuture<Void> close(long session) {
      closed.add(session);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  @Test
  void aSessionThatIsOpenedForNobodyAnyMoreIsEnded() {
    LateEngine engine = new LateEngine();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> new Lanes(engine, "test", event -> {}))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();

    engine.opening.complete(7L);

    assertThat(engine.closed).containsExactly(7L);
  }

  @Test
  void whoIsInterruptedWhileTheSessionForAWaitIsOpenedHearsThatAsAnInterrupt() throws Exception {
    LateEngine engine = new LateEngine();
    engine.opening.complete(7L);
    Lanes lanes = new Lanes(engine, "test", event -> {});
    engine.opening = new CompletableFuture<>();
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () ->
                lanes.askAndWait(
                    new Command.Match("test", Command.Mode.TAKE, List.of(), 0, 1000, 1)))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  /** Its first session ends while something is under way; the next ones open when told to. */
  private static final class EndingEngine implements SpaceEngine {
    final List<CompletableFuture<Long>> openings = new CopyOnWriteArrayList<>();
    final List<Command> carriedOut = new CopyOnWriteArrayList<>();

    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      CompletableFuture<Long> opening = new CompletableFuture<>();
      openings.add(opening);
      if (openings.size() != 2) {
        opening.complete((long) openings.size());
      }
      return opening;
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long lowestUnanswered, Command command) {
      if (session > 1 || sequence == 1) {
        carriedOut.add(command);
      }
      return CompletableFuture.completedFuture(
          session > 1
              ? new Reply.Done()
              : sequence == 1
                  ? UNKNOWN
                  : new Reply.Refused(Reply.Refusal.UNKNOWN_SESSION, "it has ended"));
    }

    @Override
    public CompletableFuture<Void> close(long session) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  @Test
  void anInterruptWhileASessionIsReplacedRunsNothingAgain() throws Exception {
    EndingEngine engine = new EndingEngine();
    Lanes lanes = new Lanes(engine, "test", event -> {});
    Command take = new Command.Match("test", Command.Mode.TAKE, List.of(), 0, 0, 1);
    AtomicBoolean flagged = new AtomicBoolean();
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    Thread asking =
        new Thread(
            () -> {
              try {
                reply.complete(lanes.ask(take));
              } catch (RemoteException e) {
                reply.completeExceptionally(e);
              }
              flagged.set(Thread.currentThread().isInterrupted());
            });
    asking.start();
    await().until(() -> engine.openings.size() == 2 || reply.isDone());

    asking.interrupt();

    assertThat(reply.join()).isEqualTo(UNKNOWN);
    asking.join();
    assertThat(flagged).isTrue();
    assertThat(engine.carriedOut).containsExactly(take);
    assertThat(lanes.ask(take)).isEqualTo(new Reply.Done());
  }

  /** Answers nothing until it is told to, and knows which sessions are open. */
  private static class WaitingEngine implements SpaceEngine {
    final Set<Long> open = ConcurrentHashMap.newKeySet();
    final List<CompletableFuture<Reply>> waiting = new CopyOnWriteArrayList<>();
    private final AtomicLong last = new AtomicLong();

    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      long session = last.incrementAndGet();
      open.add(session);
      return CompletableFuture.completedFuture(session);
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long lowestUnanswered, Command command) {
      CompletableFuture<Reply> reply = new CompletableFuture<>();
      waiting.add(reply);
      return reply;
    }

    @Override
    public CompletableFuture<Void> close(long session) {
      open.remove(session);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  @Test
  void sessionsForWaitsAreGivenBackWhenNobodyWaits() throws Exception {
    int threads = 60;
    WaitingEngine engine = new WaitingEngine();
    Lanes lanes = new Lanes(engine, "test", event -> {});
    List<CompletableFuture<Reply>> answers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      CompletableFuture<Reply> answer = new CompletableFuture<>();
      answers.add(answer);
      new Thread(
              () -> {
                try {
                  answer.complete(
                      lanes.askAndWait(
                          new Command.Match("test", Command.Mode.TAKE, List.of(), 0, 60_000, 1)));
                } catch (Exception e) {
                  answer.completeExceptionally(e);
                }
              })
          .start();
    }
    await().until(() -> engine.waiting.size() == threads);
    assertThat(engine.open).hasSize(threads + 1);

    engine.waiting.forEach(reply -> reply.complete(new Reply.Matched(List.of())));
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();

    assertThat(engine.open).hasSizeBetween(2, 20);
  }

  @Test
  void whatIsAskedAfterASessionEndedIsAskedInAnotherOne() throws Exception {
    try (HazelcastSpace space = HazelcastSpace.start(SpaceSettings.defaults());
        SessionsOf engine = new SessionsOf(space);
        TupleSpace notes = SpaceClient.open(engine, "ended", "test")) {
      notes.write(new Note("red", 1), null, Long.MAX_VALUE);
      Transaction transaction = notes.begin(Duration.ofHours(1)).transaction;
      notes.take(new Note("red", null), null, 60_000);
      engine.allEnd();

      // The cells cannot tell a session that has ended from one whose operation is asked again.
      assertThatThrownBy(() -> notes.write(new Note("red", 2), null, Long.MAX_VALUE))
          .isInstanceOf(OutcomeUnknownException.class);
      notes.write(new Note("red", 3), null, Long.MAX_VALUE);
      assertThatThrownBy(() -> notes.take(new Note("red", null), null, 60_000))
          .isInstanceOf(OutcomeUnknownException.class);
      assertThat(((Note) notes.take(new Note("red", null), null, 60_000)).number).isEqualTo(3);
      assertThatThrownBy(() -> notes.write(new Note("red", 4), transaction, Long.MAX_VALUE))
          .isInstanceOf(TransactionException.class);
      assertThatThrownBy(transaction::commit).isInstanceOf(UnknownTransactionException.class);
    }
  }

  @Test
  void aSessionLivesOnAlthoughAnOutcomeIsUnknown() throws Exception {
    AtomicBoolean forgets = new AtomicBoolean();
    try (HazelcastSpace space = HazelcastSpace.start(SpaceSettings.defaults());
        SessionsOf engine =
            new SessionsOf(space) {
              @Override
              public CompletableFuture<Reply> execute(
                  long session, long sequence, long lowestUnanswered, Command command) {
                CompletableFuture<Reply> reply =
                    super.execute(session, sequence, lowestUnanswered, command);
                return forgets.getAndSet(false) ? reply.thenApply(known -> UNKNOWN) : reply;
              }
            };
        TupleSpace notes = SpaceClient.open(engine, "unknown", "test")) {
      Transaction transaction = notes.begin(Duration.ofHours(1)).transaction;
      forgets.set(true);
      assertThatThrownBy(() -> notes.write(new Note("red", 1), transaction, Long.MAX_VALUE))
          .isInstanceOf(OutcomeUnknownException.class);
      transaction.commit();
      assertThat(notes.read(new Note("red", null), null, 0)).isNotNull();
      assertThat(engine.opened).hasSize(1);
    }
  }

  /** Opens some sessions, and then neither opens one nor answers. */
  private static final class SilentEngine extends WaitingEngine {
    private static final int OPENED = 3;
    private final AtomicInteger openings = new AtomicInteger();

    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      return openings.incrementAndGet() <= OPENED
          ? super.open(holder, events)
          : new CompletableFuture<>();
    }
  }

  @Test
  void aSilentNodeHoldsUpNobodyForLongWhoIsInterruptedOrWaitsBriefly() throws Exception {
    SilentEngine engine = new SilentEngine();
    Lanes lanes = new Lanes(engine, "test", event -> {});
    Waiter take = Waiter.of(lanes, Command.Mode.TAKE, 600_000);
    await().until(() -> engine.waiting.size() == 1);
    Waiter read = Waiter.of(lanes, Command.Mode.READ, 600_000);
    await().until(() -> engine.waiting.size() == 2);
    Waiter brief = Waiter.of(lanes, Command.Mode.TAKE, 1_000);
    take.thread.interrupt();
    read.thread.interrupt();

    assertThat(take.heard())
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(Reply.Refusal.OUTCOME_UNKNOWN);
              assertThat(refused.message()).contains("has not answered for 5 s");
            });
    assertThat(take.flagged).isTrue();
    assertThat(read.heard()).isInstanceOf(InterruptedException.class);
    assertThat(read.flagged).isFalse();
    assertThat(brief.heard())
        .isInstanceOf(RemoteException.class)
        .asString()
        .contains("opened no session within 5000 ms");
    assertThat(engine.open).as("without those of the waits").hasSize(1);
  }

  @Test
  void whoWaitsWhenItsSpaceIsClosedHearsThatOrHasWhatWasFound() throws Exception {
    WaitingEngine engine =
        new WaitingEngine() {
          @Override
          public CompletableFuture<Reply> execute(
              long session, long sequence, long lowestUnanswered, Command command) {
            if (command instanceof Command.CancelWait) {
              assertThat(open).contains(session);
              waiting.get((int) session - 2).complete(session == 2 ? FOUND : NOTHING);
            }
            return super.execute(session, sequence, lowestUnanswered, command);
          }
        };
    Lanes lanes = new Lanes(engine, "test", event -> {});
    Waiter lucky = Waiter.of(lanes, Command.Mode.TAKE, 600_000);
    await().until(() -> engine.waiting.size() == 1);
    Waiter other = Waiter.of(lanes, Command.Mode.TAKE, 600_000);
    await().until(() -> engine.waiting.size() == 2);

    lanes.close();

    assertThat(lucky.heard()).isEqualTo(FOUND);
    assertThat(other.heard())
        .isInstanceOf(RemoteException.class)
        .isNotInstanceOf(OutcomeUnknownException.class)
        .asString()
        .contains("this client of the space is closed");
    assertThat(engine.open).isEmpty();
  }

  @Test
  void whatIsOnlyLookedAtIsAskedAgainWhenItsSessionHasEnded() throws Exception {
    try (HazelcastSpace space = HazelcastSpace.start(SpaceSettings.defaults());
        SessionsOf engine = new SessionsOf(space);
        TupleSpace notes = SpaceClient.open(engine, "ended", "test");
        TupleSpace others = SpaceClient.open(space, "ended", "test")) {
      others.write(new Note("red", 1), null, Long.MAX_VALUE);
      notes.read(new Note("red", null), null, 0);
      engine.allEnd();
      assertThat(notes.read(new Note("red", null), null, 0)).isNotNull();
      engine.allEnd();
      MatchSet listed = notes.contents(List.of(new Note("red", null)), null, 60_000, 10);
      assertThat(listed.next()).isNotNull();

      CompletableFuture<Note> waiting = new CompletableFuture<>();
      int waited = engine.asked.get();
      new Thread(
              () -> {
                try {
                  waiting.complete((Note) notes.read(new Note("blue", null), null, 600_000));
                } catch (Exception e) {
                  waiting.completeExceptionally(e);
                }
              })
          .start();
      await().until(() -> engine.asked.get() > waited);
      engine.allEnd();
      others.write(new Note("blue", 2), null, Long.MAX_VALUE);
      assertThat(waiting.get().number).isEqualTo(2);
    }
  }

  private static final Reply NOTHING = new Reply.Matched(List.of());
  private static final Reply FOUND =
      new Reply.Matched(List.of(EntryCodec.encode(new Note("red", 1))));

  /** A thread that waits for an entry, and what it hears. */
  private static final class Waiter {
    final Thread thread;
    final AtomicBoolean flagged = new AtomicBoolean();
    private final CompletableFuture<Object> heard = new CompletableFuture<>();

    private Waiter(Lanes lanes, Command.Match match) {
      thread =
          new Thread(
              () -> {
                Object result;
                try {
                  result = lanes.askAndWait(match);
                } catch (Exception e) {
                  result = e;
                }
                flagged.set(Thread.currentThread().isInterrupted());
                heard.complete(result);
              });
      thread.start();
    }

    static Waiter of(Lanes lanes, Command.Mode mode, long timeoutMillis) {
      return new Waiter(lanes, new Command.Match("test", mode, List.of(), 0, timeoutMillis, 1));
    }

    Object heard() throws Exception {
      return heard.get();
    }
  }

  private static final Reply UNKNOWN =
      new Reply.Refused(Reply.Refusal.OUTCOME_UNKNOWN, "it was done or not");

  /** An engine that tells which sessions were opened. */
  private static class SessionsOf implements SpaceEngine {
    final List<Long> opened = new CopyOnWriteArrayList<>();
    final AtomicInteger asked = new AtomicInteger();
    private final SpaceEngine engine;

    SessionsOf(SpaceEngine engine) {
      this.engine = engine;
    }

    void allEnd() {
      opened.forEach(session -> engine.close(session).join());
    }

    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      return engine.open(holder, events).whenComplete((session, failure) -> opened.add(session));
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long lowestUnanswered, Command command) {
      CompletableFuture<Reply> reply = engine.execute(session, sequence, lowestUnanswered, command);
      asked.incrementAndGet();
      return reply;
    }

    @Override
    public CompletableFuture<Void> close(long session) {
      return engine.close(session);
    }

    @Override
    public void close() {}
  }
}

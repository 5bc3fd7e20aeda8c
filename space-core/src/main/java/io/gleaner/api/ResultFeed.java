package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.tuple.JobState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The results of one bag for one subscriber: from the first on, each once, in the order in which
 * the tasks ended, no faster than the subscriber asks. What it has not asked for stays at the node.
 *
 * <p>Thread rule: {@link #drain} runs on one thread at a time, from which the subscriber is called;
 * everything else only says that there may be something to do.
 */
final class ResultFeed implements Flow.Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(ResultFeed.class);
  private static final int PAGE = 100;
  private static final Flow.Subscriber<Object> NOBODY = new Nobody();

  /** Hears nothing. */
  private static final class Nobody implements Flow.Subscriber<Object> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {}

    @Override
    public void onNext(Object result) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {}
  }

  /** A result with its place. */
  record Placed(int place, TaskResult result) {}

  /** Some results, and the bag as it was just before they were read. */
  record Page(Progress bag, List<Placed> results) {}

  /** Where results come from. */
  interface Source {
    Page after(int place, int limit);

    Progress progress();
  }

  private final Source source;
  private final Executor threads;
  private final AtomicLong demand = new AtomicLong();

  /** Signals that have not been looked at; the first is that of {@link #open}. */
  private final AtomicInteger signals = new AtomicInteger(1);

  /** Nobody once the feed is over, so that a subscriber that is held by nobody else can go. */
  private volatile Flow.Subscriber<? super TaskResult> subscriber;

  private volatile Runnable atEnd = () -> {};
  private volatile boolean over;
  private volatile boolean asksTooLittle;
  private volatile boolean closed;
  private volatile Optional<Progress> seen = Optional.empty();

  /** The last place that the subscriber has; belongs to the draining thread. */
  private int place;

  ResultFeed(Source source, Executor threads, Flow.Subscriber<? super TaskResult> subscriber) {
    this.source = source;
    this.threads = threads;
    this.subscriber = subscriber;
  }

  /** Says what to do at its end, once; called before the subscriber hears of the feed. */
  void onEnd(Runnable action) {
    atEnd = action;
  }

  /** The subscriber has its subscription: from now on it is told what there is to tell. */
  void open() {
    deliverSoon();
  }

  /** The bag changed, or may have. */
  void changed(Optional<JsonNode> bag) {
    seen = bag.map(Progress::of);
    signal();
  }

  @Override
  public void request(long n) {
    if (n <= 0) {
      asksTooLittle = true;
    } else {
      demand.accumulateAndGet(n, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
    }
    signal();
  }

  /** The connection is being closed: the subscriber is told so. */
  void close() {
    closed = true;
    signal();
  }

  @Override
  public void cancel() {
    over = true;
    subscriber = NOBODY;
    atEnd.run();
  }

  private void signal() {
    if (!over && signals.getAndIncrement() == 0) {
      deliverSoon();
    }
  }

  private void deliverSoon() {
    try {
      threads.execute(this::drain);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed; nothing more is delivered", e);
    } catch (Error e) {
      signals.set(0);
      LOG.error("no thread delivers results now; the next signal tries again", e);
    }
  }

  private void drain() {
    int handled = signals.get();
    do {
      try {
        deliver();
      } catch (GleanerException e) {
        fail(closed ? Gleaner.closedFailure() : e);
      } catch (RuntimeException | Error e) {
        fail(new GleanerException(Code.DAMAGED, "the results cannot be read: " + e, e));
      }
      handled = signals.addAndGet(-handled);
    } while (handled != 0);
  }

  private void deliver() {
    while (!over) {
      if (closed) {
        fail(Gleaner.closedFailure());
        return;
      }
      if (asksTooLittle) {
        fail(new IllegalArgumentException("a subscriber asks for one result or more at a time"));
        return;
      }
      long wanted = demand.get();
      if (wanted == 0) {
        // The end needs no asking.
        endIfComplete(seen.isPresent() ? seen.get() : source.progress());
        return;
      }
      Page page = source.after(place, (int) Math.min(wanted, PAGE));
      for (Placed next : page.results()) {
        if (over) {
          return;
        }
        place = next.place();
        if (demand.get() != Long.MAX_VALUE) {
          demand.decrementAndGet();
        }
        tell(() -> subscriber.onNext(next.result()));
      }
      if (endIfComplete(page.bag()) || page.results().isEmpty()) {
        return;
      }
    }
  }

  private boolean endIfComplete(Progress bag) {
    if (over || !bag.ended() || place < bag.tasksEnded()) {
      return false;
    }
    Flow.Subscriber<? super TaskResult> last = subscriber;
    cancel();
    Optional<GleanerException> early = earlyEnd(bag);
    tell(() -> early.ifPresentOrElse(last::onError, last::onComplete));
    return true;
  }

  private void fail(RuntimeException e) {
    if (!over) {
      Flow.Subscriber<? super TaskResult> last = subscriber;
      cancel();
      tell(() -> last.onError(e));
    }
  }

  /** Whoever throws at what it is told has left; see rule 2.13 of Reactive Streams. */
  private void tell(Runnable word) {
    try {
      word.run();
    } catch (RuntimeException | Error e) {
      cancel();
      LOG.error("a subscriber failed; it gets nothing more", e);
    }
  }

  /** Why a bag ended before all of its tasks had; empty if they have. */
  static Optional<GleanerException> earlyEnd(Progress bag) {
    return bag.state() == JobState.DONE
        ? Optional.empty()
        : Optional.of(
            new GleanerException(
                bag.state() == JobState.CANCELLED ? Code.CANCELLED : Code.BAG_FAILED,
                "bag %s is %s after %d of %d tasks: %s"
                    .formatted(
                        bag.bagId(), bag.state(), bag.tasksEnded(), bag.tasks(), bag.note())));
  }
}

package io.gleaner.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.rest.Patience;
import io.gleaner.api.rest.RestClient;
import io.gleaner.secrets.Secret;
import io.gleaner.tuple.JobState;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** A feed ends or goes on, and never falls silent, whatever its surroundings throw. */
@Timeout(60)
class ResultFeedTest {
  private static final Executor HERE = Runnable::run;
  private static final int TASKS = 3;

  private final List<Integer> heard = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final AtomicBoolean ended = new AtomicBoolean();

  @Test
  void aSubscriberThatThrowsWhateverItIsGetsNothingMore() {
    for (Throwable thrown : List.of(new IllegalStateException("odd"), new AssertionError("odd"))) {
      heard.clear();
      ended.set(false);
      ResultFeed feed =
          feed(
              ResultFeedTest::page,
              HERE,
              new Listening() {
                @Override
                public void onNext(TaskResult result) {
                  super.onNext(result);
                  throwIt(thrown);
                }
              });
      feed.request(Long.MAX_VALUE);
      feed.changed(Optional.empty());
      assertThat(heard).as(thrown.toString()).containsExactly(0);
      assertThat(ended).isTrue();
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void aSubscriberThatThrowsAtTheEndHarmsNobody() {
    ResultFeed completed =
        feed(
            ResultFeedTest::page,
            HERE,
            new Listening() {
              @Override
              public void onComplete() {
                throw new AssertionError("odd");
              }
            });
    completed.request(Long.MAX_VALUE);
    assertThat(heard).containsExactly(0, 1, 2);
    assertThat(ended).isTrue();

    ended.set(false);
    ResultFeed failed =
        feed(
            ResultFeedTest::page,
            HERE,
            new Listening() {
              @Override
              public void onError(Throwable failure) {
                throw new AssertionError("odd");
              }
            });
    failed.request(0);
    assertThat(ended).isTrue();
  }

  @Test
  void whatCannotBeReadIsToldToTheSubscriberWhateverItThrows() {
    for (Throwable thrown :
        List.of(new IllegalArgumentException("no state"), new StackOverflowError("too deep"))) {
      failures.clear();
      ResultFeed feed =
          feed(
              () -> {
                throwIt(thrown);
                return page();
              },
              HERE,
              new Listening());
      feed.request(1);
      assertThat(failures)
          .singleElement()
          .isInstanceOfSatisfying(
              GleanerException.class,
              e -> {
                assertThat(e.code()).isEqualTo(Code.DAMAGED);
                assertThat(e).hasCause(thrown);
              });
    }
  }

  @Test
  void aFeedThatGotNoThreadGoesOnWithTheNextSignal() {
    AtomicBoolean exhausted = new AtomicBoolean();
    Executor threads =
        work -> {
          if (exhausted.getAndSet(false)) {
            throw new InternalError("unable to create native thread");
          }
          work.run();
        };
    ResultFeed feed = feed(ResultFeedTest::page, threads, new Listening());
    exhausted.set(true);
    feed.request(Long.MAX_VALUE);
    assertThat(heard).isEmpty();
    feed.changed(Optional.empty());
    assertThat(heard).containsExactly(0, 1, 2);
  }

  /** Reactive Streams 1.3 and 1.9: what a subscriber is told comes after its subscription. */
  @Test
  void nothingIsToldBeforeTheSubscriberHasItsSubscription() {
    ResultFeed feed = closed(ResultFeedTest::page, HERE, new Listening());
    feed.request(1);
    feed.changed(Optional.empty());
    feed.close();
    assertThat(heard).isEmpty();
    assertThat(failures).isEmpty();
    feed.open();
    assertThat(failures).hasSize(1);

    ResultFeed other = closed(ResultFeedTest::page, HERE, new Listening());
    other.request(1);
    assertThat(heard).isEmpty();
    other.open();
    assertThat(heard).containsExactly(0, 1, 2);
  }

  /** Reactive Streams 3.13. */
  @Test
  void whoCancelledIsNotHeld() {
    Flow.Subscriber<TaskResult> listening = new Listening();
    WeakReference<Flow.Subscriber<TaskResult>> held = new WeakReference<>(listening);
    ResultFeed feed = feed(ResultFeedTest::page, HERE, listening);
    feed.cancel();
    listening = null;
    await()
        .until(
            () -> {
              System.gc();
              return held.get() == null;
            });
    feed.request(1);
    assertThat(heard).isEmpty();
  }

  private ResultFeed feed(
      Supplier<ResultFeed.Page> pages, Executor threads, Flow.Subscriber<TaskResult> subscriber) {
    ResultFeed feed = closed(pages, threads, subscriber);
    feed.open();
    return feed;
  }

  private ResultFeed closed(
      Supplier<ResultFeed.Page> pages, Executor threads, Flow.Subscriber<TaskResult> subscriber) {
    ResultFeed feed =
        new ResultFeed(
            new ResultFeed.Source() {
              @Override
              public ResultFeed.Page after(int place, int limit) {
                return pages.get();
              }

              @Override
              public Progress progress() {
                return pages.get().bag();
              }
            },
            threads,
            subscriber);
    feed.onEnd(() -> ended.set(true));
    return feed;
  }

  private static ResultFeed.Page page() {
    RestClient nobody =
        new RestClient(URI.create("http://127.0.0.1:1"), Secret.of("x"), Patience.usual());
    List<ResultFeed.Placed> results = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      results.add(
          new ResultFeed.Placed(
              i + 1,
              new TaskResult(
                  nobody,
                  "b-1",
                  JsonMapper.shared().createObjectNode().put("taskIndex", i),
                  Optional.empty())));
    }
    return new ResultFeed.Page(
        new Progress("b-1", JobState.DONE, TASKS, TASKS, 0, 0, 0, Optional.empty(), ""), results);
  }

  private static void throwIt(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  private class Listening implements Flow.Subscriber<TaskResult> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {}

    @Override
    public void onNext(TaskResult result) {
      heard.add(result.taskIndex());
    }

    @Override
    public void onError(Throwable failure) {
      failures.add(failure);
    }

    @Override
    public void onComplete() {}
  }
}

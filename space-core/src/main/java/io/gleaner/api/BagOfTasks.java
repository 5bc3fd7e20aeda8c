package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.rest.RestClient;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.databind.JsonNode;

/**
 * A bag of tasks in the market: its results as they come, its progress and its cost. Made by {@link
 * BagBuilder#submit} or found by {@link Gleaner#bag(String)}; goes on when this program ends. Safe
 * for all threads; methods that answer with a value ask the node and wait.
 */
public final class BagOfTasks {
  private static final int INLINE_BYTES = 64 * 1024;

  private final Gleaner market;
  private final String id;
  private final Map<Integer, CompletableFuture<TaskResult>> wanted = new ConcurrentHashMap<>();
  private final AtomicBoolean collecting = new AtomicBoolean();
  private final CompletableFuture<Progress> ended = new CompletableFuture<>();
  private final AtomicBoolean awaitingEnd = new AtomicBoolean();

  BagOfTasks(Gleaner market, String id) {
    this.market = market;
    this.id = id;
  }

  public String id() {
    return id;
  }

  /** How far it is and what it cost, now. */
  public Progress progress() {
    return Progress.of(market.rest().get(path()));
  }

  /** Why it waits, or how many slots it has at which price, in a sentence. */
  public String explain() {
    return market.rest().get(path() + "/explain").path("explanation").asString("");
  }

  /**
   * Cancels it: no result is accepted from then on, and what is left of the budget returns.
   * Cancelling a bag that has ended changes nothing.
   */
  public Progress cancel() {
    return Progress.of(market.rest().post(path() + "/cancel", Map.of(), Map.of()));
  }

  /**
   * The results, those of failed tasks included. Each subscriber gets every result exactly once,
   * from the first on, in the order in which the tasks ended, at its own pace. The end of the bag
   * completes it; a bag that was cancelled or stopped early ends it with an error after the last
   * result.
   */
  public Flow.Publisher<TaskResult> results() {
    return subscriber -> {
      ResultFeed feed = new ResultFeed(new Completions(), market.threads(), subscriber);
      Runnable unwatch = market.events().watch(id, feed::changed);
      Runnable forget = market.whenClosed(feed::close);
      feed.onEnd(
          () -> {
            unwatch.run();
            forget.run();
          });
      subscriber.onSubscribe(feed);
      feed.changed(Optional.empty());
    };
  }

  /**
   * The result of one task, when it comes; a task that failed for good has a result that says so.
   * Completes exceptionally if the bag ends without it. Cancelling the future does not stop the
   * task.
   */
  public CompletableFuture<TaskResult> result(int taskIndex) {
    CompletableFuture<TaskResult> result =
        wanted.computeIfAbsent(taskIndex, index -> new CompletableFuture<>());
    if (collecting.compareAndSet(false, true)) {
      results().subscribe(new Collecting());
    } else if (!result.isDone()) {
      market.run(() -> lookUp(taskIndex, result));
    }
    return result.copy();
  }

  /** Completes with the last word on the bag when it has ended, in whatever way. */
  public CompletableFuture<Progress> ended() {
    if (awaitingEnd.compareAndSet(false, true)) {
      Runnable unwatch = market.events().watch(id, bag -> market.run(() -> lookAtEnd(bag)));
      Runnable forget =
          market.whenClosed(() -> ended.completeExceptionally(Gleaner.closedFailure()));
      var unused =
          ended.whenComplete(
              (bag, failure) -> {
                unwatch.run();
                forget.run();
              });
      market.run(() -> lookAtEnd(Optional.empty()));
    }
    return ended.copy();
  }

  private void lookAtEnd(Optional<JsonNode> bag) {
    try {
      Progress now = bag.map(Progress::of).orElseGet(this::progress);
      if (now.ended()) {
        ended.complete(now);
      }
    } catch (GleanerException e) {
      ended.completeExceptionally(e);
    }
  }

  /** A task that ended before somebody asked for it is not told again. */
  private void lookUp(int taskIndex, CompletableFuture<TaskResult> result) {
    try {
      Progress bag = progress();
      String query = "/results?limit=1&after=" + (taskIndex - 1);
      JsonNode found = market.rest().get(path() + query).path("results").path(0);
      if (found.path("taskIndex").asInt(-1) == taskIndex) {
        result.complete(new TaskResult(market.rest(), id, found, Optional.empty()));
      } else if (bag.ended()) {
        result.completeExceptionally(without(taskIndex, bag));
      }
    } catch (GleanerException e) {
      result.completeExceptionally(e);
    }
  }

  private static GleanerException without(int taskIndex, Progress bag) {
    return ResultFeed.earlyEnd(bag)
        .orElseGet(
            () ->
                new GleanerException(
                    Code.NOT_FOUND,
                    "bag %s has no task %d; it has %d, counted from 0"
                        .formatted(bag.bagId(), taskIndex, bag.tasks())));
  }

  private String path() {
    return RestClient.bagPath(id);
  }

  @Override
  public String toString() {
    return "bag " + id;
  }

  /** The results as the node lists them. */
  private final class Completions implements ResultFeed.Source {

    @Override
    public ResultFeed.Page after(int place, int limit) {
      JsonNode page =
          market
              .rest()
              .get(
                  path()
                      + "/completions?after=%d&limit=%d&inline=%d"
                          .formatted(place, limit, INLINE_BYTES));
      List<ResultFeed.Placed> results = new ArrayList<>();
      for (JsonNode each : page.path("completions")) {
        String output = each.path("output").asString("");
        JsonNode outcome = each.path("result");
        boolean inline = each.path("output").isString();
        results.add(
            new ResultFeed.Placed(
                each.path("place").asInt(),
                new TaskResult(
                    market.rest(),
                    id,
                    outcome,
                    inline ? Optional.of(Base64.getDecoder().decode(output)) : Optional.empty())));
      }
      return new ResultFeed.Page(Progress.of(page.path("bag")), results);
    }

    @Override
    public Progress progress() {
      return BagOfTasks.this.progress();
    }
  }

  /** Completes the futures that somebody asked for; keeps nothing else. */
  private final class Collecting implements Flow.Subscriber<TaskResult> {

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(TaskResult result) {
      CompletableFuture<TaskResult> future = wanted.get(result.taskIndex());
      if (future != null) {
        future.complete(result);
      }
    }

    @Override
    public void onError(Throwable failure) {
      wanted.values().forEach(future -> future.completeExceptionally(failure));
    }

    @Override
    public void onComplete() {
      wanted.forEach((index, future) -> lookUp(index, future));
    }
  }
}

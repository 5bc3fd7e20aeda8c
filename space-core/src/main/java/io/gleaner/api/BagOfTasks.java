package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.rest.RestClient;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
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
  private final WantedResults wanted;

  /** What those wait for who asked; guarded by this. */
  private Optional<CompletableFuture<Progress>> ended = Optional.empty();

  BagOfTasks(Gleaner market, String id) {
    this.market = market;
    this.id = id;
    this.wanted = new WantedResults(results(), this::looksUp);
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
   * result, and so does a node that does not answer for longer than the patience. A subscriber that
   * throws gets nothing more.
   */
  public Flow.Publisher<TaskResult> results() {
    return subscriber -> {
      ResultFeed feed = new ResultFeed(new Completions(), market.threads(), subscriber);
      Runnable forget;
      try {
        forget = market.whenClosed(feed::close);
      } catch (GleanerException e) {
        subscriber.onSubscribe(new Nothing());
        subscriber.onError(e);
        return;
      }
      try {
        Runnable unwatch = market.events().watch(id, feed::changed);
        feed.onEnd(
            () -> {
              unwatch.run();
              forget.run();
            });
        subscriber.onSubscribe(feed);
        feed.open();
      } catch (RuntimeException | Error e) {
        feed.cancel();
        throw e;
      }
    };
  }

  /**
   * The result of one task, when it comes; a task that failed for good has a result that says so.
   * Completes exceptionally if the bag ends without it, and if no node answers for longer than the
   * patience; asking again looks again. Cancelling the future does not stop the task.
   */
  public CompletableFuture<TaskResult> result(int taskIndex) {
    return wanted.result(taskIndex);
  }

  /**
   * Completes with the last word on the bag when it has ended, in whatever way; exceptionally if no
   * node answers for longer than the patience, and asking again looks again.
   */
  public CompletableFuture<Progress> ended() {
    CompletableFuture<Progress> end = new CompletableFuture<>();
    synchronized (this) {
      if (ended.isPresent() && !ended.get().isCompletedExceptionally()) {
        return ended.get().copy();
      }
      ended = Optional.of(end);
    }
    try {
      Runnable forget = market.whenClosed(() -> end.completeExceptionally(Gleaner.closedFailure()));
      Runnable unwatch = market.events().watch(id, bag -> market.run(() -> lookAtEnd(bag, end)));
      var unused =
          end.whenComplete(
              (bag, failure) -> {
                unwatch.run();
                forget.run();
              });
      market.run(() -> lookAtEnd(Optional.empty(), end));
    } catch (GleanerException e) {
      end.completeExceptionally(e);
    }
    return end.copy();
  }

  private void lookAtEnd(Optional<JsonNode> bag, CompletableFuture<Progress> end) {
    try {
      Progress now = bag.map(Progress::of).orElseGet(this::progress);
      if (now.ended()) {
        end.complete(now);
      }
    } catch (RuntimeException | Error e) {
      end.completeExceptionally(e);
    }
  }

  private void looksUp(int taskIndex, CompletableFuture<TaskResult> result) {
    if (!market.run(() -> lookUp(taskIndex, result))) {
      result.completeExceptionally(Gleaner.closedFailure());
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
    } catch (RuntimeException | Error e) {
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

  /** What somebody gets who subscribes when all is over. */
  private record Nothing() implements Flow.Subscription {
    @Override
    public void request(long n) {}

    @Override
    public void cancel() {}
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
}

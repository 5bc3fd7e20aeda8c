package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.BiConsumer;

/**
 * The results of a bag that somebody asked for, each as a future. One subscription brings them as
 * they come; what came before somebody asked is looked up. A failure is told to those who wait, and
 * forgotten: whoever asks later asks the node again. Safe for all threads.
 */
final class WantedResults {
  /** Failures that are the end of the bag, after all its results. */
  private static final Set<Code> ENDS = EnumSet.of(Code.CANCELLED, Code.BAG_FAILED);

  private final Flow.Publisher<TaskResult> results;
  private final BiConsumer<Integer, CompletableFuture<TaskResult>> lookUp;

  /** Guarded by this; one that failed counts as none. */
  private final Map<Integer, CompletableFuture<TaskResult>> wanted = new HashMap<>();

  /** Whether there is a subscription that has not failed. Guarded by this. */
  private boolean collecting;

  /**
   * Nothing is asked yet.
   *
   * @param lookUp completes the future of a task if the node has its result or has no such task,
   *     else leaves it; called on any thread and must not wait
   */
  WantedResults(
      Flow.Publisher<TaskResult> results,
      BiConsumer<Integer, CompletableFuture<TaskResult>> lookUp) {
    this.results = results;
    this.lookUp = lookUp;
  }

  CompletableFuture<TaskResult> result(int taskIndex) {
    CompletableFuture<TaskResult> result;
    boolean first;
    synchronized (this) {
      result = wanted.get(taskIndex);
      if (result == null || result.isCompletedExceptionally()) {
        result = new CompletableFuture<>();
        wanted.put(taskIndex, result);
      }
      first = !collecting && !result.isDone();
      collecting |= first;
    }
    if (first) {
      results.subscribe(new Collecting());
    } else if (!result.isDone()) {
      lookUp.accept(taskIndex, result);
    }
    return result.copy();
  }

  private synchronized CompletableFuture<TaskResult> of(TaskResult result) {
    return wanted.getOrDefault(result.taskIndex(), new CompletableFuture<>());
  }

  private synchronized Map<Integer, CompletableFuture<TaskResult>> missing() {
    Map<Integer, CompletableFuture<TaskResult>> missing = new HashMap<>(wanted);
    missing.values().removeIf(CompletableFuture::isDone);
    return missing;
  }

  private void failed(Throwable failure) {
    Map<Integer, CompletableFuture<TaskResult>> waiting;
    synchronized (this) {
      waiting = missing();
      waiting.keySet().forEach(wanted::remove);
      collecting = false;
    }
    waiting.values().forEach(future -> future.completeExceptionally(failure));
  }

  /** Completes the futures; keeps nothing else. */
  private final class Collecting implements Flow.Subscriber<TaskResult> {

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(TaskResult result) {
      of(result).complete(result);
    }

    @Override
    public void onError(Throwable failure) {
      if (failure instanceof GleanerException why && ENDS.contains(why.code())) {
        onComplete();
      } else {
        failed(failure);
      }
    }

    @Override
    public void onComplete() {
      missing().forEach(lookUp);
    }
  }
}

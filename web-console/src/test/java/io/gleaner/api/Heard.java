package io.gleaner.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;

/**
 * A subscriber that remembers what it heard; asks for nothing by itself unless told at the start.
 */
final class Heard implements Flow.Subscriber<TaskResult> {
  final List<TaskResult> results = new CopyOnWriteArrayList<>();
  final CompletableFuture<Void> end = new CompletableFuture<>();
  private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

  static Heard allOf(BagOfTasks bag) {
    Heard heard = someOf(bag);
    heard.asksFor(Long.MAX_VALUE);
    return heard;
  }

  static Heard someOf(BagOfTasks bag) {
    Heard heard = new Heard();
    bag.results().subscribe(heard);
    return heard;
  }

  void asksFor(long n) {
    subscription.join().request(n);
  }

  void leaves() {
    subscription.join().cancel();
  }

  List<Integer> tasks() {
    return results.stream().map(TaskResult::taskIndex).toList();
  }

  @Override
  public void onSubscribe(Flow.Subscription its) {
    subscription.complete(its);
  }

  @Override
  public void onNext(TaskResult result) {
    results.add(result);
  }

  @Override
  public void onError(Throwable failure) {
    end.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    end.complete(null);
  }
}

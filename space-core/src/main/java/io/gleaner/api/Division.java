package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A super task under way; guarded by its monitor, under which the job is called. */
final class Division<P, R> {
  private final ComputationalSuperTask<P, R> job;
  private final CompletableFuture<R> whole = new CompletableFuture<>();
  private int missing;

  private Division(ComputationalSuperTask<P, R> job) {
    this.job = job;
  }

  static <P, R> CompletableFuture<R> of(
      MarketExecutor executor, ComputationalSuperTask<P, R> job, int parts) {
    if (parts < 1) {
      throw new GleanerException(Code.INVALID, parts + " parts are wanted, expected 1 or more");
    }
    return new Division<>(job).begin(executor, parts);
  }

  private synchronized CompletableFuture<R> begin(MarketExecutor executor, int parts) {
    List<CompletableFuture<P>> calls = new ArrayList<>();
    try {
      List<? extends ComputationalTask<P>> divided = job.divide(parts);
      if (divided.isEmpty()) {
        throw new GleanerException(Code.INVALID, "the job divided itself into no parts");
      }
      missing = divided.size();
      for (ComputationalTask<P> part : divided) {
        calls.add(executor.submit(part));
      }
    } catch (Throwable e) {
      whole.completeExceptionally(e);
    }
    for (int i = 0; i < calls.size(); i++) {
      int part = i;
      var unused = calls.get(i).whenComplete((result, failure) -> ended(part, result, failure));
    }
    var unused =
        whole.whenComplete(
            (result, failure) -> {
              if (failure != null) {
                calls.forEach(call -> call.cancel(true));
              }
            });
    return whole;
  }

  private synchronized void ended(int part, P result, Throwable failure) {
    if (whole.isDone()) {
      return;
    }
    if (failure != null) {
      whole.completeExceptionally(
          failure instanceof CompletionException wrapped && wrapped.getCause() != null
              ? wrapped.getCause()
              : failure);
      return;
    }
    try {
      job.collect(result, part);
      missing--;
      if (missing == 0) {
        whole.complete(job.result());
      }
    } catch (Throwable e) {
      whole.completeExceptionally(e);
    }
  }
}

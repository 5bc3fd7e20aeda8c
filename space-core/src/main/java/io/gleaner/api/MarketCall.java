package io.gleaner.api;

import io.gleaner.api.calls.CallOutcome;
import io.gleaner.api.calls.SerialisedCall;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RunnableFuture;

/** One call on its way: the future that the caller holds. Safe for all threads. */
final class MarketCall<V> extends CompletableFuture<V> implements RunnableFuture<V> {
  private final Callable<V> work;
  private final SerialisedCall serialised;
  private final Runnable cancelled;
  private volatile Optional<CallBatch> batch = Optional.empty();

  /**
   * A call that waits.
   *
   * @param cancelled told after it was cancelled
   */
  MarketCall(Callable<V> work, SerialisedCall serialised, Runnable cancelled) {
    this.work = work;
    this.serialised = serialised;
    this.cancelled = cancelled;
  }

  SerialisedCall serialised() {
    return serialised;
  }

  /** The bag in which it went; empty while it waits. */
  Optional<CallBatch> batch() {
    return batch;
  }

  void sentIn(CallBatch its) {
    batch = Optional.of(its);
  }

  /** Takes what its task came to. */
  void ended(TaskResult result, Set<String> accepted) {
    try {
      Set<String> packages = new HashSet<>(accepted);
      serialised.resultPackage().ifPresent(packages::add);
      ClassLoader own = work.getClass().getClassLoader();
      @SuppressWarnings("unchecked") // the call's own word for what it returns
      V value =
          (V)
              CallOutcome.read(
                  result.output(),
                  packages,
                  own == null ? ClassLoader.getSystemClassLoader() : own);
      complete(value);
    } catch (CallFailedException | GleanerException e) {
      completeExceptionally(e);
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean waits = !isDone();
    boolean did = super.cancel(mayInterruptIfRunning);
    if (did && waits) {
      cancelled.run();
    }
    return did;
  }

  /** Makes the call here; for calls that {@link MarketExecutor#shutdownNow} gave back. */
  @Override
  @SuppressWarnings("CatchingUnchecked")
  public void run() {
    if (isDone()) {
      return;
    }
    try {
      complete(work.call());
    } catch (Exception e) {
      completeExceptionally(e);
    }
  }
}

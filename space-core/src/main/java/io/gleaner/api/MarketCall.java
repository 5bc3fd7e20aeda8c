package io.gleaner.api;

import io.gleaner.api.calls.CallOutcome;
import io.gleaner.api.calls.SerialisedCall;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RunnableFuture;
import java.util.function.Function;

/**
 * One call on its way: the future that the caller holds. Safe for all threads.
 *
 * @param <V> what it answers with here, whatever its task answers
 */
final class MarketCall<V> extends CompletableFuture<V> implements RunnableFuture<V> {
  private final Callable<V> work;
  private final SerialisedCall serialised;
  private final Function<Object, V> home;
  private volatile Optional<CallBatch> batch = Optional.empty();
  private volatile boolean answered;

  /**
   * A call that waits.
   *
   * @param work what {@link #run} does here
   * @param serialised what travels
   * @param home what the caller gets for the value that comes back
   */
  MarketCall(Callable<V> work, SerialisedCall serialised, Function<Object, V> home) {
    this.work = work;
    this.serialised = serialised;
    this.home = home;
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

  /** Whether the market, or this program by {@link #run}, ended it; else its holder did. */
  boolean isAnswered() {
    return answered;
  }

  /** It cannot be carried out. */
  void failed(Throwable why) {
    answered = true;
    completeExceptionally(why);
  }

  /** Takes what its task came to. */
  void ended(TaskResult result, Set<String> accepted) {
    answered = true;
    try {
      Set<String> packages = new HashSet<>(accepted);
      serialised.resultPackage().ifPresent(packages::add);
      ClassLoader own = work.getClass().getClassLoader();
      complete(
          home.apply(
              CallOutcome.read(
                  result.output(),
                  packages,
                  own == null ? ClassLoader.getSystemClassLoader() : own)));
    } catch (CallFailedException | RuntimeException | Error e) {
      completeExceptionally(e);
    }
  }

  /** Makes the call here; for calls that {@link MarketExecutor#shutdownNow} gave back. */
  @Override
  public void run() {
    if (isDone()) {
      return;
    }
    answered = true;
    try {
      complete(work.call());
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }
}

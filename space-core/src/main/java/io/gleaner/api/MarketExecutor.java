package io.gleaner.api;

import io.gleaner.api.calls.RunnableCall;
import io.gleaner.api.calls.SerialisedCall;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor whose threads are other people's idle desktops. Calls travel as serialised objects
 * with the classes that they use; calls that are submitted in a row go together as one bag of
 * tasks. Safe for all threads.
 *
 * <p>What differs from an executor on this machine: a call and its result must be serialisable; a
 * call works on a copy of what it holds and may run more than once, so it must do nothing outside
 * that cannot be repeated; what it throws arrives as {@link CallFailedException}; cancelling a call
 * that is on its way stops it only when no other call of its bag is wanted.
 */
public final class MarketExecutor implements ExecutorService, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MarketExecutor.class);

  private final Gleaner market;
  private final ExecutorBuilder.Terms terms;
  private final CallSender sender;
  private final Runnable forget;

  /** What has not ended: calls, submissions, and cancels on their way. Guarded by this. */
  private int unfinished;

  /** Guarded by this. */
  private boolean shutDown;

  /** Guarded by this. */
  private final Set<MarketCall<?>> open = new LinkedHashSet<>();

  MarketExecutor(Gleaner market, ExecutorBuilder.Terms terms) {
    this.market = market;
    this.terms = terms;
    this.sender = new CallSender(market, terms, this::oneMore, this::oneLess);
    Thread thread = new Thread(sender, "gleaner-calls");
    thread.setDaemon(true);
    this.forget = market.whenClosed(() -> marketCloses(thread));
    thread.start();
  }

  private void marketCloses(Thread sending) {
    synchronized (this) {
      shutDown = true;
    }
    sending.interrupt();
  }

  /** Submits a call; a lambda passed here is serialisable if what it captures is. */
  public <V> CompletableFuture<V> submit(ComputationalTask<V> call) {
    return accept(call);
  }

  @Override
  public <V> CompletableFuture<V> submit(Callable<V> call) {
    return accept(call);
  }

  @Override
  public Future<?> submit(Runnable work) {
    return submit(work, null);
  }

  /**
   * Submits work that answers with the value when it is done. The value stays in this program and
   * may be anything; what the work does to a copy of it there is not seen here.
   */
  @Override
  public <V> CompletableFuture<V> submit(Runnable work, V value) {
    RunnableCall call = new RunnableCall(Objects.requireNonNull(work, "the work is null"));
    return accept(call, Executors.callable(work, value), nothing -> value);
  }

  /** A runnable that can travel; lets lambdas be passed. */
  @FunctionalInterface
  public interface ComputationalRunnable extends Runnable, Serializable {}

  /** Submits work without a result; a lambda passed here is serialisable. */
  public Future<?> submit(ComputationalRunnable work) {
    return submit((Runnable) work);
  }

  /**
   * Divides the job, submits its parts, and collects their results as they come.
   *
   * @param parts how many parts are wanted
   * @return the result of the whole; fails with the first part that fails, whose siblings are
   *     cancelled then, as they are when it is cancelled
   */
  public <P, R> CompletableFuture<R> submit(ComputationalSuperTask<P, R> job, int parts) {
    return Division.of(this, job, parts);
  }

  @Override
  public void execute(Runnable work) {
    var unused =
        submit(work, null)
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    LOG.warn("work that nobody asks after failed", failure);
                  }
                });
  }

  @SuppressWarnings("unchecked") // the call's own word for what it returns
  private <V> MarketCall<V> accept(Callable<V> call) {
    Objects.requireNonNull(call, "the call is null");
    return accept(call, call, value -> (V) value);
  }

  private <V> MarketCall<V> accept(Callable<?> there, Callable<V> here, Function<Object, V> home) {
    requireOpen();
    SerialisedCall serialised;
    try {
      serialised = SerialisedCall.of(there, terms.mostCallBytes());
    } catch (GleanerException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    }
    MarketCall<V> call = new MarketCall<>(here, serialised, home);
    synchronized (this) {
      requireOpen();
      open.add(call);
      unfinished++;
      sender.send(call);
    }
    var unused = call.whenComplete((value, failure) -> finished(call));
    return call;
  }

  private synchronized void requireOpen() {
    if (shutDown) {
      throw new RejectedExecutionException("the executor was shut down; it takes no more calls");
    }
  }

  /**
   * A call counts until it has ended or was given back. One that its holder ended, by cancel or in
   * any other way, counts until the market has been told that nobody wants it.
   */
  private void finished(MarketCall<?> call) {
    if (forgotten(call) && (call.isAnswered() || !market.run(() -> cancelled(call)))) {
      oneLess();
    }
  }

  private synchronized boolean forgotten(MarketCall<?> call) {
    return open.remove(call);
  }

  private synchronized void oneMore() {
    unfinished++;
  }

  private synchronized void oneLess() {
    unfinished--;
    if (unfinished == 0) {
      notifyAll();
    }
  }

  private void cancelled(MarketCall<?> call) {
    try {
      sender.cancelled(call);
    } finally {
      oneLess();
    }
  }

  @Override
  public <V> List<Future<V>> invokeAll(Collection<? extends Callable<V>> calls)
      throws InterruptedException {
    return invokeAll(calls, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
  }

  @Override
  public <V> List<Future<V>> invokeAll(
      Collection<? extends Callable<V>> calls, long timeout, TimeUnit unit)
      throws InterruptedException {
    long deadlineNanos = deadline(timeout, unit);
    List<Future<V>> futures = new ArrayList<>(calls.size());
    try {
      for (Callable<V> call : calls) {
        futures.add(accept(call));
      }
      for (Future<V> future : futures) {
        try {
          V unused = future.get(left(deadlineNanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException e) {
          LOG.debug("a call ended without a value; its future tells", e);
        }
      }
    } catch (TimeoutException e) {
      LOG.debug("out of time; what has not ended is cancelled", e);
    } finally {
      futures.forEach(future -> future.cancel(true));
    }
    return futures;
  }

  @Override
  public <V> V invokeAny(Collection<? extends Callable<V>> calls)
      throws InterruptedException, ExecutionException {
    try {
      return invokeAny(calls, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ExecutionException("no call ended in 292 years", e);
    }
  }

  @Override
  public <V> V invokeAny(Collection<? extends Callable<V>> calls, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (calls.isEmpty()) {
      throw new IllegalArgumentException("no calls; expected at least one");
    }
    long deadlineNanos = deadline(timeout, unit);
    LinkedBlockingQueue<MarketCall<V>> ended = new LinkedBlockingQueue<>();
    List<MarketCall<V>> all = new ArrayList<>(calls.size());
    try {
      for (Callable<V> each : calls) {
        MarketCall<V> call = accept(each);
        all.add(call);
        var unused = call.whenComplete((value, failure) -> ended.add(call));
      }
      ExecutionException last = new ExecutionException("every call was cancelled", null);
      for (int i = 0; i < all.size(); i++) {
        MarketCall<V> next = ended.poll(left(deadlineNanos), TimeUnit.NANOSECONDS);
        if (next == null) {
          throw new TimeoutException("none of " + all.size() + " calls ended in time");
        }
        try {
          return next.get();
        } catch (ExecutionException e) {
          last = e;
        } catch (CancellationException e) {
          LOG.debug("a call was cancelled", e);
        }
      }
      throw last;
    } finally {
      all.forEach(call -> call.cancel(true));
    }
  }

  private static long deadline(long timeout, TimeUnit unit) {
    return System.nanoTime() + Math.max(0, Math.min(unit.toNanos(timeout), Long.MAX_VALUE / 2));
  }

  private static long left(long deadlineNanos) {
    return Math.max(0, deadlineNanos - System.nanoTime());
  }

  @Override
  public void shutdown() {
    synchronized (this) {
      shutDown = true;
    }
    sender.end();
  }

  /**
   * Cancels what is on its way and answers with the calls that were not sent; running one of those
   * makes the call in this program.
   */
  @Override
  public List<Runnable> shutdownNow() {
    return List.copyOf(endNow());
  }

  private List<MarketCall<?>> endNow() {
    shutdown();
    List<MarketCall<?>> back = sender.takeBack();
    for (MarketCall<?> call : back) {
      if (forgotten(call)) {
        oneLess();
      }
    }
    List<MarketCall<?>> underWay;
    synchronized (this) {
      underWay = List.copyOf(open);
    }
    underWay.forEach(call -> call.cancel(true));
    return back;
  }

  @Override
  public synchronized boolean isShutdown() {
    return shutDown;
  }

  @Override
  public synchronized boolean isTerminated() {
    return shutDown && unfinished == 0;
  }

  @Override
  public synchronized boolean awaitTermination(long timeout, TimeUnit unit)
      throws InterruptedException {
    long deadlineNanos = deadline(timeout, unit);
    while (!isTerminated()) {
      long leftNanos = left(deadlineNanos);
      if (leftNanos == 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
    }
    return true;
  }

  /** Shuts down and waits for all calls; an interrupt cancels them. */
  @Override
  public void close() {
    shutdown();
    boolean interrupted = false;
    while (!isTerminated()) {
      try {
        boolean unused = awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        if (!interrupted) {
          endNow().forEach(call -> call.cancel(true));
          interrupted = true;
        }
      }
    }
    forget.run();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

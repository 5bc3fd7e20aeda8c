package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.calls.ClassClosure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Sends calls to the market: what comes while one bag is being submitted goes together in the next,
 * so that a loop of submissions makes few bags. One thread sends; the rest is guarded by this.
 */
final class CallSender implements Runnable {
  private static final int MOST_CALLS = 10_000;
  private static final long MOST_BYTES = 64L * 1024 * 1024;

  private final Gleaner market;
  private final ExecutorBuilder.Terms terms;
  private final Runnable submitting;
  private final Runnable submitted;
  private final Deque<MarketCall<?>> waiting = new ArrayDeque<>();
  private boolean last;

  /** Belongs to the sending thread, as does the bundle. */
  private ClassClosure program;

  private Bundle bundle;

  /**
   * A sender.
   *
   * @param submitting told before calls are submitted, on the sending thread
   * @param submitted told after it, whatever came of it
   */
  CallSender(Gleaner market, ExecutorBuilder.Terms terms, Runnable submitting, Runnable submitted) {
    this.market = market;
    this.terms = terms;
    this.submitting = submitting;
    this.submitted = submitted;
    this.program = new ClassClosure().and(terms.classes());
    this.bundle = new Bundle(program.jar());
  }

  synchronized void send(MarketCall<?> call) {
    waiting.add(call);
    notifyAll();
  }

  /** What is waiting is still sent, then the thread ends. */
  synchronized void end() {
    last = true;
    notifyAll();
  }

  /** Takes back what was not sent. */
  synchronized List<MarketCall<?>> takeBack() {
    List<MarketCall<?>> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /** The call was cancelled: its bag may have nothing left to do. Asks the node and waits. */
  void cancelled(MarketCall<?> call) {
    Optional<CallBatch> batch;
    synchronized (this) {
      waiting.remove(call);
      batch = call.batch();
    }
    batch.ifPresent(CallBatch::cancelIfUnwanted);
  }

  @Override
  public void run() {
    for (List<MarketCall<?>> calls = next(); !calls.isEmpty(); calls = next()) {
      submitting.run();
      try {
        // Whoever was cancelled before that does not count; whoever is later finds its bag.
        List<MarketCall<?>> wanted = calls.stream().filter(call -> !call.isDone()).toList();
        if (!wanted.isEmpty()) {
          submit(wanted);
        }
      } finally {
        submitted.run();
      }
    }
  }

  private void submit(List<MarketCall<?>> calls) {
    try {
      List<MarketCall<?>> shipped = shipped(calls);
      if (shipped.isEmpty()) {
        return;
      }
      CallBatch batch = CallBatch.submit(market, terms, bundle, shipped);
      synchronized (this) {
        shipped.forEach(call -> call.sentIn(batch));
      }
      batch.follow();
      batch.cancelIfUnwanted();
    } catch (RuntimeException | Error e) {
      // Nobody but the close of the market interrupts this thread.
      boolean closed = e instanceof GleanerException why && why.code() == Code.INTERRUPTED;
      Throwable failure = closed ? Gleaner.closedFailure() : e;
      calls.forEach(call -> call.failed(failure));
    }
  }

  /** Brings the classes of the calls into the bundle; a call whose classes cannot be fails. */
  private List<MarketCall<?>> shipped(List<MarketCall<?>> calls) {
    try {
      ships(calls);
      return calls;
    } catch (RuntimeException | Error e) {
      List<MarketCall<?>> shipped = new ArrayList<>();
      for (MarketCall<?> call : calls) {
        try {
          ships(List.of(call));
          shipped.add(call);
        } catch (RuntimeException | Error own) {
          call.failed(own);
        }
      }
      return shipped;
    }
  }

  private synchronized List<MarketCall<?>> next() {
    try {
      while (waiting.isEmpty() && !last) {
        wait();
      }
    } catch (InterruptedException e) {
      waiting.forEach(call -> call.failed(Gleaner.closedFailure()));
      waiting.clear();
      last = true;
    }
    List<MarketCall<?>> calls = new ArrayList<>();
    long bytes = 0;
    while (!waiting.isEmpty() && calls.size() < MOST_CALLS) {
      bytes += waiting.peek().serialised().bytes().length;
      if (bytes > MOST_BYTES && !calls.isEmpty()) {
        break;
      }
      calls.add(waiting.remove());
    }
    return calls;
  }

  private void ships(Collection<MarketCall<?>> calls) {
    Set<Class<?>> classes = new HashSet<>();
    calls.forEach(call -> classes.addAll(call.serialised().classes()));
    ClassClosure grown = program.and(classes);
    if (grown != program) {
      bundle = new Bundle(grown.jar());
      program = grown;
    }
  }
}

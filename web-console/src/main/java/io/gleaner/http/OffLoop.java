package io.gleaner.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The only way to SQL, hashes and files: a bounded pool beside the event loop, with a bounded
 * number of callers before it. Safe for all threads.
 */
public final class OffLoop implements AutoCloseable {
  private final WorkerExecutor workers;
  private final int mostAtATime;
  private final AtomicInteger calls = new AtomicInteger();

  /**
   * A pool of its own.
   *
   * @param mostAtATime calls that run or wait; one more is refused as BUSY
   */
  public OffLoop(Vertx vertx, String name, int threads, int mostAtATime) {
    this.workers = vertx.createSharedWorkerExecutor(name, threads, 1, TimeUnit.MINUTES);
    this.mostAtATime = mostAtATime;
  }

  /** Runs the work there; the future completes on the caller's context. */
  public <T> Future<T> call(Callable<T> work) {
    if (calls.incrementAndGet() > mostAtATime) {
      calls.decrementAndGet();
      return Future.failedFuture(
          new ConsoleException(
              ConsoleException.Code.BUSY, "the console has too much to do at once; try again"));
    }
    return workers.executeBlocking(work, false).onComplete(done -> calls.decrementAndGet());
  }

  /** Refuses further work; what runs may end. */
  @Override
  public void close() {
    workers.close();
  }
}

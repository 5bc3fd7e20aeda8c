package io.gleaner.idle;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A sensor that answers in time, if need be with unknown. One thread reads it; a probe that hangs
 * is not asked again until it returns.
 */
final class TimedSensor<T> implements Sensor<T> {
  private final String name;
  private final Sensor<T> probe;
  private final Duration limit;
  private final ExecutorService threads;
  private Future<Reading<T>> pending;

  TimedSensor(String name, Sensor<T> probe, Duration limit, ExecutorService threads) {
    this.name = name;
    this.probe = probe;
    this.limit = limit;
    this.threads = threads;
  }

  @Override
  public Reading<T> read() {
    if (pending == null) {
      pending = threads.submit(probe::read);
    }
    try {
      Reading<T> reading = pending.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      pending = null;
      return reading;
    } catch (TimeoutException e) {
      return Reading.unknown(name + " did not answer within " + limit.toMillis() + " ms");
    } catch (ExecutionException e) {
      pending = null;
      return Reading.unknown(name + " failed: " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Reading.unknown(name + " was interrupted");
    }
  }
}

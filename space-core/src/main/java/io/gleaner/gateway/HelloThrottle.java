package io.gleaner.gateway;

import io.gleaner.leasing.Ticker;
import io.gleaner.limits.Recent;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Slows down whoever tries join tokens: each refusal from one host within a minute doubles the time
 * until the next refusal is told, from 100 ms to 3 s, which a client still waits for. Right tokens
 * are never slowed down. Safe for all threads; guarded by its monitor.
 */
final class HelloThrottle {
  private static final long FIRST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 3000;
  private static final int MOST_HOSTS = 1000;
  private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private record Refusals(int count, long lastNanos) {}

  private final Ticker ticker;
  private final Map<String, Refusals> byHost = new Recent<>(MOST_HOSTS);

  HelloThrottle(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Counts a refusal and says how long to wait before telling it. */
  synchronized long refusedMillis(String host) {
    long now = ticker.nanos();
    Refusals before = byHost.get(host);
    int count = before == null || now - before.lastNanos > FORGOTTEN_NANOS ? 0 : before.count;
    byHost.put(host, new Refusals(count + 1, now));
    return Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(count, 10));
  }
}

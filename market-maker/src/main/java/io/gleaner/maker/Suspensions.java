package io.gleaner.maker;

import io.gleaner.leasing.Ticker;
import io.gleaner.tuple.NoticeEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Launchers whose offers are left out of the market for a while, and what each is told of it. For
 * all threads but for {@link #pass}, which is the market-maker's.
 */
final class Suspensions {
  private static final Logger LOG = LoggerFactory.getLogger(Suspensions.class);
  private static final Duration TIME = Duration.ofMinutes(10);
  private static final String REASON = "its results were refused again and again";

  private final Tuples tuples;
  private final Ticker ticker;
  private final Map<String, Long> sinceNanos = new ConcurrentHashMap<>();
  private final Map<String, Long> toldNanos = new HashMap<>();

  Suspensions(Tuples tuples, Ticker ticker) {
    this.tuples = tuples;
    this.ticker = ticker;
  }

  /** Begins, or begins anew; answers whether it is new. */
  boolean begin(String launcherId) {
    boolean isNew = sinceNanos.put(launcherId, ticker.nanos()) == null;
    if (isNew) {
      LOG.warn("launcher {} is left out for {} min: {}", launcherId, TIME.toMinutes(), REASON);
    }
    return isNew;
  }

  boolean has(String launcherId) {
    return sinceNanos.containsKey(launcherId);
  }

  /** Ends those whose time is over, and tells the others. */
  void pass(Instant now) {
    long nanos = ticker.nanos();
    sinceNanos.values().removeIf(since -> nanos - since > TIME.toNanos());
    toldNanos.keySet().retainAll(sinceNanos.keySet());
    sinceNanos.forEach(
        (launcherId, since) -> {
          if (!since.equals(toldNanos.get(launcherId))) {
            tell(launcherId, TIME.minusNanos(nanos - since), now);
            toldNanos.put(launcherId, since);
          }
        });
  }

  private void tell(String launcherId, Duration left, Instant now) {
    NoticeEntry told = NoticeEntry.ofLauncher(launcherId);
    while (tuples.take(NoticeEntry.class, told, null).isPresent()) {
      LOG.debug("launcher {} is told anew", launcherId);
    }
    told.reason = REASON;
    told.untilMillis = now.plus(left).toEpochMilli();
    var unused = tuples.write(told, null, left.plusMillis(1));
  }
}

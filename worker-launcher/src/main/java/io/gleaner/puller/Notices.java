package io.gleaner.puller;

import io.gleaner.leasing.Ticker;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.NoticeEntry;
import java.rmi.RemoteException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the market tells this launcher: why it gets no work, if it is left out. One thread asks. */
final class Notices {
  private static final Logger LOG = LoggerFactory.getLogger(Notices.class);
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final TupleSpace space;
  private final String launcherId;
  private final Ticker ticker;
  private long askedNanos;
  private volatile Optional<String> told = Optional.empty();

  Notices(TupleSpace space, String launcherId, Ticker ticker) {
    this.space = space;
    this.launcherId = launcherId;
    this.ticker = ticker;
    this.askedNanos = ticker.nanos() - AGAIN_NANOS;
  }

  /** The sentence that holds now; for all threads. */
  Optional<String> told() {
    return told;
  }

  /** Asks, every five seconds. */
  void look()
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    if (ticker.nanos() - askedNanos < AGAIN_NANOS) {
      return;
    }
    askedNanos = ticker.nanos();
    Optional<String> now = read().map(Notices::sentence);
    if (!now.equals(told)) {
      LOG.warn("{}", now.orElse("the market has let this launcher in again"));
      told = now;
    }
  }

  private Optional<NoticeEntry> read()
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    try {
      return Optional.ofNullable(
              (NoticeEntry) space.readIfExists(NoticeEntry.ofLauncher(launcherId), null, 0))
          .filter(notice -> notice.reason != null && notice.untilMillis != null);
    } catch (SecurityException e) {
      LOG.debug("this node tells launchers nothing", e);
      return Optional.empty();
    }
  }

  private static String sentence(NoticeEntry notice) {
    return "the market sends this launcher no work until "
        + Instant.ofEpochMilli(notice.untilMillis)
        + ": "
        + notice.reason;
  }
}

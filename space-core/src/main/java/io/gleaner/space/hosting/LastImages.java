package io.gleaner.space.hosting;

import io.gleaner.leasing.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Images of cells at an orderly end, one after the other, as long as there is time; the inputs of
 * those that have none are repeated at the next start.
 */
final class LastImages {
  private static final Logger LOG = LoggerFactory.getLogger(LastImages.class);

  private final long mostNanos;
  private final Ticker ticker;

  LastImages(Duration most, Ticker ticker) {
    this.mostNanos = most.toNanos();
    this.ticker = ticker;
  }

  /**
   * Asks for the image of each; returns when all are there or the time is over.
   *
   * @param image begins one, and is complete when it is there or will not be
   * @return how many were asked for and answered
   */
  int keep(List<Integer> cells, IntFunction<CompletableFuture<Void>> image) {
    long begun = ticker.nanos();
    int done = 0;
    try {
      for (int cell : cells) {
        long rest = mostNanos - (ticker.nanos() - begun);
        if (rest <= 0) {
          break;
        }
        image.apply(cell).get(rest, TimeUnit.NANOSECONDS);
        done++;
      }
    } catch (TimeoutException e) {
      LOG.debug("the time for images is over", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | RuntimeException e) {
      LOG.warn("an image at the end was not kept", e);
    }
    if (!cells.isEmpty()) {
      LOG.info(
          "images of {} of {} cells are kept; what the others did is repeated at the next start",
          done,
          cells.size());
    }
    return done;
  }
}

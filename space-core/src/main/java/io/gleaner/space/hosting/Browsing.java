package io.gleaner.space.hosting;

import io.gleaner.space.Reply;
import io.gleaner.space.core.Browse;
import io.gleaner.space.core.Caller;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries listings out that are no operations: asks cell after cell, here and on other members, and
 * answers whoever asked. Safe for all threads.
 */
final class Browsing {
  private static final Logger LOG = LoggerFactory.getLogger(Browsing.class);

  private final Callers callers;
  private final Outlet outlet;

  Browsing(Callers callers, Outlet outlet) {
    this.callers = callers;
    this.outlet = outlet;
  }

  /** Looks further; whoever asked asks again if this member ends before it is over. */
  void goOn(Caller caller, Browse browse) {
    OptionalInt cell = browse.cell();
    if (cell.isEmpty()) {
      outlet.answer(caller, browse.reply());
      return;
    }
    CompletableFuture<Reply> seen = callers.ask(cell.getAsInt(), browse::look);
    var unused =
        seen.whenComplete(
            (reply, failure) -> {
              if (reply instanceof Reply.Listed listed) {
                browse.add(listed);
                goOn(caller, browse);
              } else if (reply != null) {
                outlet.answer(caller, reply);
              } else {
                LOG.debug("a listing ends with the space", failure);
              }
            });
  }
}

package io.gleaner.space;

import io.gleaner.space.Reply.Refusal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** An operation that waits in a session. {@link #answer} is for who waits, the rest for all. */
final class Wait {
  /**
   * A node that can be reached ends a wait in milliseconds, and a connection that broke for a
   * moment is back in a second or two; who was interrupted does not wait longer for a silent one.
   */
  private static final long SILENT_SECONDS = 5;

  /** That it was to end, and nothing was heard; it was done or not. */
  static final Reply SILENT =
      new Reply.Refused(
          Refusal.OUTCOME_UNKNOWN,
          "the wait was ended, and the node has not answered for "
              + SILENT_SECONDS
              + " s; something was taken or not");

  private final Lane lane;
  private final Lane.Sent sent;

  Wait(Lane lane, Lane.Sent sent) {
    this.lane = lane;
    this.sent = sent;
  }

  /** Waits; an interrupt ends that, and the answer comes with the thread's flag set. */
  Reply answer() throws ExecutionException {
    try {
      return sent.reply().get();
    } catch (InterruptedException e) {
      Reply reply = end().join();
      Thread.currentThread().interrupt();
      return reply;
    }
  }

  /** Has the node end it now: what it found by then, or {@link #SILENT}. */
  CompletableFuture<Reply> end() {
    // Not the answer itself: who joins that one reads the connection, for as long as it takes.
    CompletableFuture<Reply> ended = new CompletableFuture<>();
    var unused =
        sent.reply()
            .whenComplete(
                (reply, failure) -> {
                  if (failure == null) {
                    ended.complete(reply);
                  } else {
                    ended.completeExceptionally(failure);
                  }
                });
    try (Patience patience = new Patience()) {
      patience.with(() -> lane.send(new Command.CancelWait(sent.sequence())));
    } catch (java.rmi.RemoteException e) {
      ended.completeExceptionally(e);
    }
    return ended.completeOnTimeout(SILENT, SILENT_SECONDS, TimeUnit.SECONDS);
  }
}

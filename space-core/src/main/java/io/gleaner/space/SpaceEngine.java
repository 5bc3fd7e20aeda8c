package io.gleaner.space;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Where commands are decided: the node's own core, or a connection to it. Safe for all threads.
 *
 * <p>Every operation carries (session, sequence, lowest unanswered sequence), so that a retry after
 * a lost answer gets the answer of the first try and has no second effect (D4).
 */
public interface SpaceEngine extends AutoCloseable {

  /** Operations that one session may have outstanding. */
  int WINDOW = 256;

  /**
   * Opens a session.
   *
   * @param holder who it belongs to, for messages and limits
   * @param events where its events go; called on a thread of the engine, must not block
   * @return the session's number, never 0
   */
  CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events);

  /**
   * Carries out the command once.
   *
   * @param sequence grows from 1 within the session, never used for another command
   * @param lowestUnanswered all smaller sequences were answered and their answers may be forgotten
   * @return the reply; fails only if the engine is closed or the connection is lost for good
   */
  CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command);

  /** Ends the session: cancels its waits and registrations and aborts its transactions. */
  CompletableFuture<Void> close(long session);

  @Override
  void close();
}

package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The engine of a node that serves clients of its own: their sessions can be taken up by another
 * node. Safe for all threads.
 *
 * <p>The <em>tenure</em> counts the nodes and connections by which a client has held its session: a
 * node that held it before ends nothing that a later one has taken up.
 */
public interface NodeEngine extends SpaceEngine {

  /**
   * Opens the session of that name or finds it again, and keeps it alive from here until it is left
   * or closed.
   *
   * @param tenure grows each time the client comes by another way
   * @param begins whether to open one if there is none
   * @param events where its events go; called on a thread of the engine, must not block
   * @return the session's number, or 0
   */
  CompletableFuture<Long> open(
      SessionName name, long tenure, boolean begins, Consumer<SpaceEvent> events);

  /**
   * As {@link #execute(long, long, long, Command)}; where the receipt is awaited, a take that had
   * to wait is answered with {@link Reply.Reserved}.
   */
  CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command, Receipt receipt);

  @Override
  default CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command) {
    return execute(session, sequence, lowestUnanswered, command, Receipt.NONE);
  }

  /** Keeps the session alive no longer, unless it is held here by a later tenure. */
  void leave(long session, long tenure);

  /** As {@link #close(long)}, unless somebody holds it by a later tenure. */
  CompletableFuture<Void> close(long session, long tenure);

  /**
   * What a transaction took of the entries that match.
   *
   * @param template of the very class of the entries; names their shard
   */
  CompletableFuture<List<EncodedEntry>> taken(
      String space, long transaction, EncodedEntry template);

  /** Whether sessions can go on when this node ends: at others, or when it is back. */
  boolean outlivesNode();
}

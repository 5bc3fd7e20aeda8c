package io.gleaner.space.history;

import java.util.Optional;

/**
 * What one operation did to the entries of one key, as its client saw it. Transaction 0 is none;
 * entries have numbers that no other entry has.
 */
sealed interface Act {

  record Write(String key, int entry, long transaction) implements Act {}

  /** Nothing found if empty. */
  record Take(String key, long transaction, Optional<Integer> found) implements Act {}

  /**
   * A take whose answer never came: it took one entry of the key or none. A lost read under a
   * transaction is the same, because the transaction can only be aborted.
   */
  record LostTake(String key, long transaction) implements Act {}

  /** Nothing found if empty. */
  record Read(String key, long transaction, Optional<Integer> found) implements Act {}

  /** All that the transaction wrote appears and all that it took is gone, at one moment. */
  record Commit(long transaction) implements Act {}

  /** A commit whose answer never came: it happened, or the transaction was aborted. */
  record LostCommit(long transaction) implements Act {}

  /**
   * What the transaction did to the entries of the key is undone, or, once it is committed, its
   * read locks are gone. Locks of one transaction need not go at the same moment.
   */
  record Release(long transaction, String key, boolean committed) implements Act {}

  /** The entry is kept for a client that waited for it, as good as taken for all others. */
  record Hide(String key, int entry) implements Act {}

  /** The client did not come for the entry, which is there again. */
  record Show(String key, int entry) implements Act {}
}

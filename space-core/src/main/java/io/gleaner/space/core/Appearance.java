package io.gleaner.space.core;

/** How an entry became available. */
enum Appearance {
  /** It was written, or the transaction that wrote it was committed. */
  WRITTEN,
  /** The transaction that took it was aborted. */
  RETURNED,
  /** It could be read all the time; the last transaction that had read it is over. */
  RELEASED
}

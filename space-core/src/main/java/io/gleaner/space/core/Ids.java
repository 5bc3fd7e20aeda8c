package io.gleaner.space.core;

/**
 * Numbers of sessions, transactions and registrations; they name the cell they live in, and cannot
 * be guessed by counting.
 */
public final class Ids {
  private static final int CELL_BITS = 16;
  private static final long SKIPPED = 1L << 32;
  private static final long CELL_MASK = (1L << CELL_BITS) - 1;

  /** Cells there can be. */
  public static final int MAX_CELLS = 1 << CELL_BITS;

  private final CellKey key;
  private final int cell;
  private long counter;

  Ids(CellKey key, int cell) {
    this.key = key;
    this.cell = cell;
  }

  /** How many numbers it has given. */
  long counter() {
    return counter;
  }

  void continueAfter(long given) {
    counter = given;
  }

  /** Goes on far behind what may have been told before a crash and was never kept. */
  void skip() {
    counter += SKIPPED;
  }

  /** A number above 0 that names this cell. */
  long next() {
    return (secret() >>> 1 & ~CELL_MASK) | cell;
  }

  /** A number that names nothing but is as hard to guess. */
  long secret() {
    return key.numberOf(++counter);
  }

  /** The cell that the number names; it may be one that does not exist. */
  public static int cellOf(long id) {
    return (int) (id & CELL_MASK);
  }
}

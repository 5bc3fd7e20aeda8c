package io.gleaner.ledger;

import io.gleaner.description.Micros;

/** Credits as people write them, and the integer micro-credits that everything counts in. */
public final class Credits {
  /** Micro-credits in one credit. */
  public static final long MICROS = Micros.PER_ONE;

  private Credits() {}

  /** The amount as decimal credits without needless zeros: 1 500 000 is "1.5". */
  public static String text(long micros) {
    return Micros.format(micros);
  }
}

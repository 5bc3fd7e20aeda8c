package io.gleaner.space.core;

import java.util.function.Consumer;

/** The whole state of a cell as bytes. The first number is that of the format. */
final class Image {

  /** Raised with every change of the form of images. */
  static final int FORMAT = 12;

  static final int CHUNK_BYTES = 1 << 20;

  private Image() {}

  /** Writes what a cell is made of; the caller goes on with its state. */
  static StateWriter begin(Context context, Consumer<byte[]> chunks) {
    StateWriter to = new StateWriter(CHUNK_BYTES, chunks);
    to.count(FORMAT);
    to.count(context.cell);
    to.count(context.cells);
    to.secret(context.key.first());
    to.secret(context.key.second());
    limits(to, context.limits);
    return to;
  }

  /** An empty cell as the one that was saved began. */
  static Cell load(StateReader from) {
    int format = from.size();
    if (format != FORMAT) {
      throw new IllegalArgumentException(
          "an image of format "
              + format
              + ", expected "
              + FORMAT
              + "; start the version that wrote it");
    }
    return new Cell(
        from.size(), from.size(), new CellKey(from.secret(), from.secret()), limits(from));
  }

  static void limits(StateWriter to, Limits limits) {
    to.number(limits.entryBytes());
    to.number(limits.batchEntries());
    to.number(limits.batchBytes());
    to.number(limits.templates());
    to.number(limits.types());
    to.number(limits.spaces());
    to.number(limits.typeBytes());
    LeaseCaps leases = limits.leases();
    to.number(leases.entryMillis());
    to.number(leases.registrationMillis());
    to.number(leases.transactionMillis());
    to.number(leases.sessionMillis());
    to.number(limits.receiptMillis());
  }

  static Limits limits(StateReader from) {
    return new Limits(
        from.number(),
        (int) from.number(),
        from.number(),
        (int) from.number(),
        (int) from.number(),
        (int) from.number(),
        from.number(),
        new LeaseCaps(from.number(), from.number(), from.number(), from.number()),
        from.number());
  }
}

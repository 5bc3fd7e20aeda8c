package io.gleaner.storage;

/** Another member has taken the cell over: nothing of this owner is stored any more. */
public final class Deposed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int cell;

  Deposed(int cell, long epoch) {
    super(
        "cell "
            + cell
            + " belongs to another member now: epoch "
            + epoch
            + " is over; drop its state and load it again");
    this.cell = cell;
  }

  public int cell() {
    return cell;
  }
}

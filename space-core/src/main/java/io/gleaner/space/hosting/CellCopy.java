package io.gleaner.space.hosting;

import io.gleaner.leasing.Ticker;
import io.gleaner.space.core.Cell;
import java.util.Optional;

/**
 * What this member has of a cell: the cell itself as its owner, a copy as its replica, or nothing;
 * and the time of the cell. All but {@link #isOwned} is for whoever has the turn of the cell.
 */
final class CellCopy {
  private final Ticker ticker;
  private Cell cell;
  private volatile boolean owned;

  /** What the member's clock has to be moved on by so that the cell's time never goes back. */
  private long clockOffset;

  CellCopy(Ticker ticker) {
    this.ticker = ticker;
  }

  boolean isHere() {
    return cell != null;
  }

  /** The cell; null if it is not here. */
  Cell cell() {
    return cell;
  }

  Optional<Cell> ifHere() {
    return Optional.ofNullable(cell);
  }

  void put(Cell now) {
    cell = now;
  }

  /** As it arrived from another member, with its time there. */
  void put(Image.Arrived image) {
    cell = image.cell();
    clockOffset = image.timeNanos() - ticker.nanos();
  }

  void remove() {
    cell = null;
  }

  /** Whether this member owns the cell and has it; on any thread. */
  boolean isOwned() {
    return owned;
  }

  void own() {
    owned = true;
  }

  void disown() {
    owned = false;
  }

  /** The time of the cell, if this member owns it. */
  long time() {
    return ticker.nanos() + clockOffset;
  }

  /** The time goes on where the cell's last input was. */
  void goOnInTime() {
    if (cell.inputs() > 0) {
      clockOffset = cell.nowNanos() - ticker.nanos();
    }
  }
}

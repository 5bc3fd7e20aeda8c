package io.gleaner.space.hosting;

import io.gleaner.space.core.Cell;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The claim of one cell that is under way, if one is; the cell is with it meanwhile. For whoever
 * has the turn of the cell.
 */
final class Claim {
  private boolean underWay;
  private long number;
  private long inputsBefore;
  private CompletableFuture<Void> over = CompletableFuture.completedFuture(null);

  boolean isUnderWay() {
    return underWay;
  }

  /** Complete when none is under way; any thread may wait for it. */
  CompletableFuture<Void> over() {
    return over;
  }

  /** Begins with what is here of the cell. */
  Claims.Unclaimed begin(CellCopy copy) {
    underWay = true;
    over = new CompletableFuture<>();
    Optional<Cell> given = copy.ifHere();
    inputsBefore = given.map(Cell::inputs).orElse(0L);
    copy.remove();
    return new Claims.Unclaimed(++number, given);
  }

  /** Ends the claim of that number; false if that is over already. */
  boolean end(long ended) {
    if (!underWay || number != ended) {
      return false;
    }
    abandon();
    return true;
  }

  /** What comes of it is not wanted any more. */
  void abandon() {
    underWay = false;
    over.complete(null);
  }

  /** Whether nothing came to the cell since it was given to the claim. */
  boolean isAsBefore(Cell now) {
    return now.inputs() == inputsBefore;
  }
}

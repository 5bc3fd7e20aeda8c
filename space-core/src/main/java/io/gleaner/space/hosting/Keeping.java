package io.gleaner.space.hosting;

import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Where the inputs of cells are kept before anything that follows from them leaves the member: an
 * output leaves when its input is on the replica, if there has to be one, <em>and</em> kept here,
 * if this keeps anything.
 */
public interface Keeping extends AutoCloseable {

  /** Keeps nothing: what is on the replica is safe enough. */
  Keeping NOTHING =
      new Keeping() {
        @Override
        public boolean isDurable() {
          return false;
        }

        @Override
        public void keep(int cell, List<Input> inputs, Runnable kept) {
          kept.run();
        }

        @Override
        public boolean isHeldUp() {
          return false;
        }

        @Override
        public List<Cell> restore() {
          return List.of();
        }

        @Override
        public void found(List<Cell> cells) {}

        @Override
        public void imagesFrom(IntConsumer wanted) {}

        @Override
        public void keepImage(Cell cell, int index) {}

        @Override
        public void whenDeposed(Runnable heard) {}

        @Override
        public void close() {}
      };

  /** Whether outputs have to wait for it; the same as long as the member lives. */
  boolean isDurable();

  /**
   * Keeps inputs, which come in the order of their numbers; called by whoever has the turn of the
   * cell, must not block. Their messages may carry callers, which are of no interest.
   *
   * @param kept is run once the inputs are safe, on any thread
   */
  void keep(int cell, List<Input> inputs, Runnable kept);

  /** Whether cells should wait with what arrives: what they did before is not kept yet. */
  boolean isHeldUp();

  /** All cells as they were when they were last kept; none if nothing was. */
  List<Cell> restore();

  /** Keeps the cells of a new space, which had no input yet. */
  void found(List<Cell> cells);

  /**
   * Hears of cells whose image is wanted, on any thread; must not block. {@link #keepImage} comes
   * later, by whoever has the turn of the cell.
   */
  void imagesFrom(IntConsumer wanted);

  /** Keeps an image of the cell in place of the inputs that it has had. */
  void keepImage(Cell cell, int index);

  /**
   * Hears, on any thread, that somebody else has taken cells over that belong to this member: what
   * it is given of them is not kept any more.
   */
  void whenDeposed(Runnable heard);

  /** Keeps what it was given and ends. */
  @Override
  void close();
}

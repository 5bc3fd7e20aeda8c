package io.gleaner.space.hosting;

import io.gleaner.space.core.Input;
import java.util.List;

/**
 * Where the inputs of cells are kept before anything that follows from them leaves the member: an
 * output leaves when its input is on the replica, if there has to be one, <em>and</em> kept here,
 * if this keeps anything.
 */
public interface Keeping {

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
      };

  /** Whether outputs have to wait for it; the same as long as the member lives. */
  boolean isDurable();

  /**
   * Keeps inputs, which come in the order of their numbers; called on the thread of the cell, must
   * not block. Their messages may carry callers, which are of no interest.
   *
   * @param kept is run once the inputs are safe, on any thread
   */
  void keep(int cell, List<Input> inputs, Runnable kept);
}

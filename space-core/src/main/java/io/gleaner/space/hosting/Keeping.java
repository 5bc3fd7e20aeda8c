package io.gleaner.space.hosting;

import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/**
 * Where the inputs of cells are kept before anything that follows from them leaves the member.
 * Where it keeps nothing, that is the replica's part.
 *
 * <p>What several members share decides which of them owns a cell: a member serves a cell after
 * {@link #restore} or {@link #claim} gave it, until {@link #release}. What it keeps comes in one
 * order, over all its cells; if something is refused because another member has the cell now,
 * nothing that came later is kept.
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
        public List<Restored> restore(String member) {
          return List.of();
        }

        @Override
        public void found(List<Cell> cells) {}

        @Override
        public void imagesFrom(IntConsumer wanted) {}

        @Override
        public CompletableFuture<Void> keepImage(Cell cell, int index) {
          return CompletableFuture.completedFuture(null);
        }

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

  /**
   * The member begins the space, alone: it has all cells now, as they were when they were last
   * kept; none if nothing was. Whoever had them before keeps nothing more.
   */
  List<Restored> restore(String member);

  /**
   * The member has met another one of the space.
   *
   * @throws io.gleaner.storage.StorageException if that one keeps its cells elsewhere
   */
  default void join(String member, String beside) {}

  /**
   * The member has these cells now, whoever had them before; may take long.
   *
   * @param lost members that nobody hears of any more, who keep nothing more
   * @param copies what the member has of them: each as it was at some time when it was kept; no
   *     longer the caller's, unless this fails
   * @return the cells as they were last kept
   * @throws io.gleaner.storage.Expelled if others have taken this member for lost
   */
  default Map<Integer, Cell> claim(
      String member, Set<String> lost, Map<Integer, Optional<Cell>> copies) {
    throw new UnsupportedOperationException("only one member can keep its cells here");
  }

  /** The members of the space, those included that nobody has found to be lost yet. */
  default Set<String> members() {
    return Set.of();
  }

  /** The cell goes to another member; all of it is kept. */
  default void release(int cell) {}

  /** Complete when all is kept that was given before; fails if it never will be. */
  default CompletableFuture<Void> allSoFar() {
    return CompletableFuture.completedFuture(null);
  }

  /** The member has left the space in order. */
  default void leave(String member) {}

  /**
   * Keeps the cells of a new space, which had no input yet.
   *
   * @throws io.gleaner.storage.StorageException if another member has begun the space since {@link
   *     #restore}
   */
  void found(List<Cell> cells);

  /**
   * Hears of cells whose image is wanted, on any thread; must not block. {@link #keepImage} or
   * {@link #noImage} comes later, by whoever has the turn of the cell.
   */
  void imagesFrom(IntConsumer wanted);

  /**
   * Keeps an image of the cell in place of the inputs that it has had.
   *
   * @return complete when it is there, or will not be: its inputs are
   */
  CompletableFuture<Void> keepImage(Cell cell, int index);

  /** Cells whose images would make the next start shorter, the one first that would do most. */
  default List<Integer> slowToRepeat() {
    return List.of();
  }

  /** The image that was wanted cannot be had now. */
  default void noImage(int index) {}

  /**
   * Hears, on any thread, that somebody else has taken cells over that belong to this member: what
   * it is given of them is not kept any more.
   */
  void whenDeposed(Runnable heard);

  /** Keeps what it was given and ends. */
  @Override
  void close();
}

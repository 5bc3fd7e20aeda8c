package io.gleaner.examples.eternity;

import java.nio.ByteBuffer;

/**
 * A seeded random walk over boards: two pieces change places, or one turns, and a worse board is
 * accepted the less likely the cooler the walk is. After each round the walk returns to its best
 * board and is warm again. The same seed walks the same way on every machine; {@link #save} and
 * {@link #resume} go on as if nothing had happened. Mutable, for one thread.
 */
final class RandomWalk {
  private static final double WARM = 0.40;
  private static final double COOL = 0.12;

  /** Rounds after the first begin at this part of the first warmth. */
  private static final double REHEAT = 0.6;

  private static final int STEPS_BETWEEN_COOLINGS = 4_096;
  private static final int MOST_LOSS = 8;

  private final Layout layout;
  private final long steps;
  private final int rounds;
  private final double[] chance = new double[MOST_LOSS + 1];
  private final int[] tiles;
  private final int[] best;
  private long random;
  private long step;
  private int score;
  private int bestScore;

  private RandomWalk(Layout layout, long steps, int rounds) {
    this.layout = layout;
    this.steps = steps;
    this.rounds = rounds;
    this.tiles = new int[layout.puzzle().cells()];
    this.best = new int[tiles.length];
  }

  /** A walk that begins at a random board. */
  static RandomWalk start(Puzzle puzzle, long seed, long steps, int rounds) {
    RandomWalk walk = new RandomWalk(new Layout(puzzle), steps, rounds);
    walk.random = seed;
    walk.layout.deal(walk.tiles, walk::below);
    walk.score = Board.of(puzzle, walk.tiles).score();
    walk.keepBest();
    return walk;
  }

  /**
   * The walk that was saved.
   *
   * @throws IllegalArgumentException if this is not what {@link #save} gave for the same puzzle
   */
  static RandomWalk resume(Puzzle puzzle, byte[] saved, long steps, int rounds) {
    RandomWalk walk = new RandomWalk(new Layout(puzzle), steps, rounds);
    ByteBuffer in = ByteBuffer.wrap(saved);
    if (saved.length != 2 * Long.BYTES + 2 * Integer.BYTES * walk.tiles.length) {
      throw new IllegalArgumentException(
          "a checkpoint of " + saved.length + " bytes belongs to another puzzle");
    }
    walk.random = in.getLong();
    walk.step = in.getLong();
    in.asIntBuffer().get(walk.best).get(walk.tiles);
    walk.bestScore = Board.of(puzzle, walk.best).score();
    walk.score = Board.of(puzzle, walk.tiles).score();
    return walk;
  }

  /** All that the rest of the walk depends on. */
  byte[] save() {
    ByteBuffer out =
        ByteBuffer.allocate(2 * Long.BYTES + 2 * Integer.BYTES * tiles.length)
            .putLong(random)
            .putLong(step);
    out.asIntBuffer().put(best).put(tiles);
    return out.array();
  }

  /** Walks on to that step, or to the end. */
  void walkTo(long goal) {
    long end = Math.min(goal, steps);
    cool();
    while (step < end && bestScore < layout.puzzle().edges()) {
      if (step % STEPS_BETWEEN_COOLINGS == 0) {
        cool();
      }
      step();
      step++;
    }
  }

  boolean ended() {
    return step >= steps || bestScore == layout.puzzle().edges();
  }

  long steps() {
    return step;
  }

  Board best() {
    return Board.of(layout.puzzle(), best);
  }

  /** Sets the chances of worse boards; at the first step of a later round, returns to the best. */
  private void cool() {
    long perRound = Math.max(1, (steps + rounds - 1) / rounds);
    long phase = step - step % STEPS_BETWEEN_COOLINGS;
    long round = phase / perRound;
    long inRound = phase - round * perRound;
    if (round > 0 && inRound < STEPS_BETWEEN_COOLINGS && step == phase) {
      System.arraycopy(best, 0, tiles, 0, tiles.length);
      score = bestScore;
    }
    double warm = round == 0 ? WARM : WARM * REHEAT;
    double warmth = warm * StrictMath.pow(COOL / warm, (double) inRound / perRound);
    for (int loss = 0; loss <= MOST_LOSS; loss++) {
      chance[loss] = StrictMath.exp(-loss / warmth);
    }
  }

  private void step() {
    int cell = below(tiles.length);
    int other = layout.fellow(cell, this::below);
    int before = tiles[cell];
    int otherBefore = tiles[other];
    int old = layout.matches(tiles, cell, other);
    if (cell == other) {
      tiles[cell] = layout.isInside(cell) ? (before & ~3) | below(4) : before;
    } else {
      tiles[cell] = layout.placed(otherBefore >> 2, cell, below(4));
      tiles[other] = layout.placed(before >> 2, other, below(4));
      if (layout.isInside(cell)) {
        layout.turnBest(tiles, cell);
        layout.turnBest(tiles, other);
      }
    }
    int gain = layout.matches(tiles, cell, other) - old;
    if (gain < 0 && (-gain > MOST_LOSS || chance() >= chance[-gain])) {
      tiles[cell] = before;
      tiles[other] = otherBefore;
      return;
    }
    score += gain;
    if (score > bestScore) {
      keepBest();
    }
  }

  /** The scores of the current and of the best board as kept step by step. */
  int[] keptScores() {
    return new int[] {score, bestScore};
  }

  /** The same, counted from scratch. */
  int[] countedScores() {
    return new int[] {Board.of(layout.puzzle(), tiles).score(), best().score()};
  }

  private void keepBest() {
    bestScore = score;
    System.arraycopy(tiles, 0, best, 0, tiles.length);
  }

  /** SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), here because its state must be saved. */
  private long random() {
    random += 0x9e3779b97f4a7c15L;
    long z = random;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private int below(int bound) {
    return (int) (((random() >>> 32) * bound) >>> 32);
  }

  private double chance() {
    return (random() >>> 11) * 0x1p-53;
  }
}

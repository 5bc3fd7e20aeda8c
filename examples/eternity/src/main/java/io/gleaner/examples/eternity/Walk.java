package io.gleaner.examples.eternity;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import io.gleaner.api.TaskContext;
import java.util.Optional;

/**
 * One random walk over boards of one puzzle. Parameters: {@code puzzle} (the seed that the puzzle
 * is made of), {@code side}, {@code seed} (of the walk), {@code steps} and {@code rounds}. It saves
 * where it is twenty times, and goes on there when it is tried again.
 */
public final class Walk implements Task {
  private static final int LEGS = 20;
  private static final long MOST_STEPS = 1_000_000_000_000L;
  private static final int MOST_ROUNDS = 10_000;

  @Override
  public byte[] run(Parameters parameters, TaskContext context) {
    Puzzle puzzle = Puzzle.of(parameters.longInteger("puzzle"), parameters.integer("side"));
    long seed = parameters.longInteger("seed");
    long steps = inRange("steps", parameters.longInteger("steps"), MOST_STEPS);
    int rounds = (int) inRange("rounds", parameters.longInteger("rounds"), MOST_ROUNDS);
    Optional<byte[]> saved = context.lastCheckpoint();
    RandomWalk walk =
        saved.isPresent()
            ? RandomWalk.resume(puzzle, saved.get(), steps, rounds)
            : RandomWalk.start(puzzle, seed, steps, rounds);
    long leg = Math.max(1, (steps + LEGS - 1) / LEGS);
    while (!walk.ended()) {
      walk.walkTo((walk.steps() / leg + 1) * leg);
      context.progress((double) walk.steps() / steps);
      if (!walk.ended()) {
        context.checkpoint(walk.save());
      }
    }
    return Find.of(parameters, walk.best()).toBytes();
  }

  private static long inRange(String name, long value, long most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "parameter '" + name + "' is " + value + ", expected 1 to " + most);
    }
    return value;
  }
}

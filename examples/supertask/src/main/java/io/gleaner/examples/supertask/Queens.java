package io.gleaner.examples.supertask;

import io.gleaner.api.ComputationalSuperTask;
import io.gleaner.api.ComputationalTask;
import io.gleaner.api.Gleaner;
import io.gleaner.api.MarketExecutor;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the ways to put n queens on a board so that none attacks another. Divides itself by where
 * the queens of the first two rows stand.
 */
public final class Queens implements ComputationalSuperTask<Long, Long> {
  private static final int MOST = 20;

  private final int n;
  private long solutions;

  public Queens(int n) {
    if (n < 2 || n > MOST) {
      throw new IllegalArgumentException("n is " + n + ", expected 2 to " + MOST);
    }
    this.n = n;
  }

  public static void main(String[] arguments) {
    int n = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 12;
    try (Gleaner market = Gleaner.connect();
        MarketExecutor executor =
            market.executor().name("queens").unitsPerCall(0.1).budgetPerCall(0.5).open()) {
      long solutions = executor.submit(new Queens(n), n).join();
      System.out.printf("%d queens stand in %d ways%n", n, solutions);
    }
  }

  /** The first two rows' positions that do not attack each other. */
  private record Opening(int first, int second) {}

  @Override
  public List<ComputationalTask<Long>> divide(int parts) {
    List<List<int[]>> shares = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      shares.add(new ArrayList<>());
    }
    int next = 0;
    for (Opening opening : openings()) {
      shares.get(next++ % parts).add(new int[] {opening.first(), opening.second()});
    }
    int size = n;
    return shares.stream()
        .map(share -> share.toArray(int[][]::new))
        .map(share -> (ComputationalTask<Long>) () -> count(size, share))
        .toList();
  }

  private List<Opening> openings() {
    List<Opening> openings = new ArrayList<>();
    for (int first = 0; first < n; first++) {
      for (int second = 0; second < n; second++) {
        if (Math.abs(first - second) > 1) {
          openings.add(new Opening(first, second));
        }
      }
    }
    return openings;
  }

  @Override
  public void collect(Long result, int part) {
    solutions += result;
  }

  @Override
  public Long result() {
    return solutions;
  }

  /** Solutions that begin with one of the openings. */
  private static long count(int n, int[][] openings) {
    long sum = 0;
    for (int[] opening : openings) {
      int first = 1 << opening[0];
      int second = 1 << opening[1];
      sum +=
          count((1 << n) - 1, first | second, first << 2 | second << 1, first >> 2 | second >> 1);
    }
    return sum;
  }

  /** Ways to fill the rows that are left, given which columns and diagonals are attacked there. */
  private static long count(int all, int columns, int left, int right) {
    if (columns == all) {
      return 1;
    }
    long sum = 0;
    for (int free = all & ~(columns | left | right); free != 0; free &= free - 1) {
      int queen = free & -free;
      sum += count(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return sum;
  }
}

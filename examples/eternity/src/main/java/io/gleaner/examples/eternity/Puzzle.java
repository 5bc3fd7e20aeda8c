package io.gleaner.examples.eternity;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * An edge-matching puzzle: square pieces whose four edges carry colours, made by cutting up a
 * coloured board, so that it has a solution. Immutable.
 *
 * <p>Colour 0 is the grey of the border and occurs nowhere else. The colours 1 to 5 occur between
 * pieces of the border only, the others inside only, as in Eternity II. The edges of a piece are in
 * the order top, right, bottom, left; turned by {@code t}, its top edge is edge {@code -t}.
 */
final class Puzzle {
  static final int GREY = 0;
  static final int FRAME_COLOURS = 5;
  static final int COLOURS = 22;

  private static final int SMALLEST_SIDE = 3;
  private static final int LARGEST_SIDE = 32;

  private final int side;
  private final int[][] pieces;
  private final int[] solution;

  private Puzzle(int side, int[][] pieces, int[] solution) {
    this.side = side;
    this.pieces = pieces;
    this.solution = solution;
  }

  /** The puzzle of this seed: pieces shuffled and turned; the same on every machine. */
  static Puzzle of(long seed, int side) {
    if (side < SMALLEST_SIDE || side > LARGEST_SIDE) {
      throw new IllegalArgumentException(
          "parameter 'side' is " + side + ", expected " + SMALLEST_SIDE + " to " + LARGEST_SIDE);
    }
    SplittableRandom random = new SplittableRandom(seed);
    int cells = side * side;
    int[][] cut = cut(side, random);
    int[] order = shuffled(cells, random);
    int[][] pieces = new int[cells][];
    int[] solution = new int[cells];
    for (int piece = 0; piece < cells; piece++) {
      int turn = random.nextInt(4);
      pieces[piece] = turned(cut[order[piece]], turn);
      solution[order[piece]] = Board.tile(piece, (4 - turn) & 3);
    }
    return new Puzzle(side, pieces, solution);
  }

  int side() {
    return side;
  }

  int cells() {
    return side * side;
  }

  /** How many pairs of neighbouring edges a solved board matches: 480 for 16 x 16. */
  int edges() {
    return 2 * side * (side - 1);
  }

  /** The colour on the edge of a piece that is turned so many quarters clockwise. */
  int colour(int piece, int turn, int edge) {
    return pieces[piece][(edge - turn) & 3];
  }

  /** How many edges of the piece are grey: 2 for a corner, 1 for the rest of the border. */
  int greys(int piece) {
    return (int) Arrays.stream(pieces[piece]).filter(colour -> colour == GREY).count();
  }

  /** The board that was cut up. */
  Board solution() {
    return Board.of(this, solution);
  }

  private static int[][] cut(int side, SplittableRandom random) {
    int[][] cut = new int[side * side][4];
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        int cell = row * side + column;
        if (column + 1 < side) {
          boolean frame = row == 0 || row == side - 1;
          cut[cell][1] = cut[cell + 1][3] = colour(frame, random);
        }
        if (row + 1 < side) {
          boolean frame = column == 0 || column == side - 1;
          cut[cell][2] = cut[cell + side][0] = colour(frame, random);
        }
      }
    }
    return cut;
  }

  private static int colour(boolean frame, SplittableRandom random) {
    return frame
        ? 1 + random.nextInt(FRAME_COLOURS)
        : 1 + FRAME_COLOURS + random.nextInt(COLOURS - FRAME_COLOURS);
  }

  private static int[] turned(int[] edges, int turn) {
    int[] turned = new int[4];
    for (int edge = 0; edge < 4; edge++) {
      turned[(edge + turn) & 3] = edges[edge];
    }
    return turned;
  }

  private static int[] shuffled(int size, SplittableRandom random) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int at = random.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    return order;
  }
}

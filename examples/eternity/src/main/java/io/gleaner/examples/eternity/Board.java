package io.gleaner.examples.eternity;

import java.util.Arrays;

/**
 * A full board: every piece once, turned so that grey lies on the border and nowhere else.
 * Immutable; checked when made, so that a board from elsewhere can be trusted to be one.
 *
 * <p>A cell holds {@code 4 * piece + turn}; cells are numbered row by row from the upper left.
 */
final class Board {
  /** Rows and columns that the top, right, bottom and left neighbour are away. */
  private static final int[] DOWN = {-1, 0, 1, 0};

  private static final int[] RIGHT = {0, 1, 0, -1};

  private final Puzzle puzzle;
  private final int[] tiles;

  private Board(Puzzle puzzle, int[] tiles) {
    this.puzzle = puzzle;
    this.tiles = tiles;
  }

  /**
   * Checks and makes a board.
   *
   * @throws IllegalArgumentException if a piece is missing, used twice or shows grey in a wrong
   *     place
   */
  static Board of(Puzzle puzzle, int[] tiles) {
    if (tiles.length != puzzle.cells()) {
      throw new IllegalArgumentException(
          "the board has " + tiles.length + " cells, expected " + puzzle.cells());
    }
    Board board = new Board(puzzle, tiles.clone());
    boolean[] used = new boolean[tiles.length];
    for (int cell = 0; cell < tiles.length; cell++) {
      int piece = tiles[cell] >> 2;
      if (piece < 0 || piece >= used.length || used[piece]) {
        throw new IllegalArgumentException(
            "cell "
                + cell
                + " holds piece "
                + piece
                + ", expected each of "
                + used.length
                + " pieces once");
      }
      used[piece] = true;
      for (int edge = 0; edge < 4; edge++) {
        boolean border = neighbour(puzzle.side(), cell, edge) < 0;
        if (border != (board.colour(cell, edge) == Puzzle.GREY)) {
          throw new IllegalArgumentException(
              "cell " + cell + " holds piece " + piece + " with grey in a wrong place");
        }
      }
    }
    return board;
  }

  /** What a cell holds when the piece is turned so many quarters clockwise. */
  static int tile(int piece, int turn) {
    return 4 * piece + turn;
  }

  /** The cell beyond the edge (0 top, 1 right, 2 bottom, 3 left), or -1 beyond the border. */
  static int neighbour(int side, int cell, int edge) {
    int row = cell / side + DOWN[edge];
    int column = cell % side + RIGHT[edge];
    boolean outside = row < 0 || row >= side || column < 0 || column >= side;
    return outside ? -1 : row * side + column;
  }

  Puzzle puzzle() {
    return puzzle;
  }

  int tileAt(int cell) {
    return tiles[cell];
  }

  int[] tiles() {
    return tiles.clone();
  }

  int colour(int cell, int edge) {
    return puzzle.colour(tiles[cell] >> 2, tiles[cell] & 3, edge);
  }

  /** Whether the edge has the colour of the edge that it touches. */
  boolean matches(int cell, int edge) {
    int other = neighbour(puzzle.side(), cell, edge);
    return other >= 0 && colour(cell, edge) == colour(other, edge ^ 2);
  }

  /** How many of {@link Puzzle#edges} pairs of edges match, counted from scratch. */
  int score() {
    int score = 0;
    for (int cell = 0; cell < tiles.length; cell++) {
      score += (matches(cell, 1) ? 1 : 0) + (matches(cell, 2) ? 1 : 0);
    }
    return score;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Board board && Arrays.equals(board.tiles, tiles);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(tiles);
  }

  @Override
  public String toString() {
    return "board with " + score() + " of " + puzzle.edges() + " edges";
  }
}

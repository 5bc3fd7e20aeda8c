package io.gleaner.examples.eternity;

import io.gleaner.api.Parameters;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The result of one task: the best board of one walk, as text that a person can read. The first
 * line names puzzle, side, seed and score; then one line per row, {@code piece/turn} per cell, with
 * turns in quarters clockwise.
 */
record Find(long puzzle, int side, long seed, int score, Board board) {
  private static final int LONGEST = 16_384;

  /** The find of the walk with these parameters. */
  static Find of(Parameters parameters, Board board) {
    return new Find(
        parameters.longInteger("puzzle"),
        parameters.integer("side"),
        parameters.longInteger("seed"),
        board.score(),
        board);
  }

  String toText() {
    StringBuilder text = new StringBuilder(head(puzzle, side, seed)).append(score).append('\n');
    for (int cell = 0; cell < board.puzzle().cells(); cell++) {
      int tile = board.tileAt(cell);
      text.append(tile >> 2).append('/').append(tile & 3);
      text.append(cell % side == side - 1 ? '\n' : ' ');
    }
    return text.toString();
  }

  byte[] toBytes() {
    return toText().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads the result of the task with these parameters, makes its puzzle anew, checks the board and
   * counts its score from scratch.
   *
   * @throws IllegalArgumentException if anything of it is not true
   */
  static Find verified(byte[] result, Parameters parameters) {
    if (result.length > LONGEST) {
      throw new IllegalArgumentException(
          "the result has " + result.length + " bytes, expected at most " + LONGEST);
    }
    String text = new String(result, StandardCharsets.US_ASCII);
    String head =
        head(
            parameters.longInteger("puzzle"),
            parameters.integer("side"),
            parameters.longInteger("seed"));
    int line = text.indexOf('\n');
    if (line < 0 || !text.startsWith(head)) {
      throw new IllegalArgumentException("the result does not begin with '" + head + "'");
    }
    int claimed = number(text.substring(head.length(), line));
    Puzzle puzzle = Puzzle.of(parameters.longInteger("puzzle"), parameters.integer("side"));
    int[] tiles =
        Arrays.stream(text.substring(line + 1).strip().split("\\s+"))
            .mapToInt(Find::tile)
            .toArray();
    Find find = of(parameters, Board.of(puzzle, tiles));
    if (find.score() != claimed) {
      throw new IllegalArgumentException(
          "the result claims " + claimed + " edges, its board has " + find.score());
    }
    return find;
  }

  private static String head(long puzzle, int side, long seed) {
    return "puzzle " + puzzle + " side " + side + " seed " + seed + " score ";
  }

  private static int tile(String cell) {
    int slash = cell.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("'" + cell + "' is not a cell, expected piece/turn");
    }
    return Board.tile(number(cell.substring(0, slash)), number(cell.substring(slash + 1)) & 3);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
    }
  }
}

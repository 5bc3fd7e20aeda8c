package io.gleaner.examples.eternity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Where pieces may lie, in tables for the inner loop of the walk: corner pieces in corners, border
 * pieces on the border with their grey outwards, the others inside. Immutable.
 */
final class Layout {
  private final Puzzle puzzle;
  private final int[] neighbours;
  private final int[] colours;

  /** How many edges of the cell are border: 0 inside, 1 border, 2 corner. */
  private final int[] kinds;

  /** First border edge of the cell, clockwise; first grey edge of the piece, clockwise. */
  private final int[] facing;

  private final int[] greyAt;
  private final int[][] cellsOfKind = new int[3][];

  Layout(Puzzle puzzle) {
    this.puzzle = puzzle;
    int cells = puzzle.cells();
    neighbours = new int[4 * cells];
    colours = new int[16 * cells];
    kinds = new int[cells];
    facing = new int[cells];
    greyAt = new int[cells];
    for (int i = 0; i < cells; i++) {
      for (int edge = 0; edge < 4; edge++) {
        neighbours[4 * i + edge] = Board.neighbour(puzzle.side(), i, edge);
        for (int turn = 0; turn < 4; turn++) {
          colours[4 * Board.tile(i, turn) + edge] = puzzle.colour(i, turn, edge);
        }
      }
    }
    for (int i = 0; i < cells; i++) {
      for (int edge = 0; edge < 4; edge++) {
        int before = (edge + 3) & 3;
        kinds[i] += neighbours[4 * i + edge] < 0 ? 1 : 0;
        if (neighbours[4 * i + edge] < 0 && neighbours[4 * i + before] >= 0) {
          facing[i] = edge;
        }
        if (puzzle.colour(i, 0, edge) == Puzzle.GREY
            && puzzle.colour(i, 0, before) != Puzzle.GREY) {
          greyAt[i] = edge;
        }
      }
    }
    for (int kind = 0; kind < cellsOfKind.length; kind++) {
      List<Integer> members = new ArrayList<>();
      for (int cell = 0; cell < cells; cell++) {
        if (kinds[cell] == kind) {
          members.add(cell);
        }
      }
      cellsOfKind[kind] = members.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  Puzzle puzzle() {
    return puzzle;
  }

  boolean isInside(int cell) {
    return kinds[cell] == 0;
  }

  /** Fills the board with every piece at a random place of its kind. */
  void deal(int[] tiles, IntUnaryOperator below) {
    int[] dealt = new int[cellsOfKind.length];
    for (int piece = 0; piece < tiles.length; piece++) {
      int kind = puzzle.greys(piece);
      int at = dealt[kind]++;
      int from = below.applyAsInt(at + 1);
      int[] places = cellsOfKind[kind];
      if (from != at) {
        tiles[places[at]] = placed(tiles[places[from]] >> 2, places[at], below.applyAsInt(4));
      }
      tiles[places[from]] = placed(piece, places[from], below.applyAsInt(4));
    }
  }

  /** A random cell of the same kind; it may be the same cell. */
  int fellow(int cell, IntUnaryOperator below) {
    int[] cells = cellsOfKind[kinds[cell]];
    return cells[below.applyAsInt(cells.length)];
  }

  /** The piece as it lies in that cell: as wished inside, grey outwards on the border. */
  int placed(int piece, int cell, int wishedTurn) {
    return Board.tile(piece, kinds[cell] == 0 ? wishedTurn : (facing[cell] - greyAt[piece]) & 3);
  }

  /** Turns the piece in the cell to where most edges match; of equal turns, the last clockwise. */
  void turnBest(int[] tiles, int cell) {
    int most = -1;
    int best = tiles[cell];
    for (int quarter = 0; quarter < 4; quarter++) {
      int tile = (tiles[cell] & ~3) | ((tiles[cell] + quarter) & 3);
      int matches = matchesOf(tile, cell, tiles);
      if (matches >= most) {
        most = matches;
        best = tile;
      }
    }
    tiles[cell] = best;
  }

  /** How many edges of the two cells match; an edge between them counts once. */
  int matches(int[] tiles, int cell, int other) {
    int sum = matchesOf(tiles[cell], cell, tiles);
    if (cell != other) {
      sum += matchesOf(tiles[other], other, tiles);
      for (int edge = 0; edge < 4; edge++) {
        if (neighbours[4 * cell + edge] == other
            && colours[4 * tiles[cell] + edge] == colours[4 * tiles[other] + (edge ^ 2)]) {
          sum--;
        }
      }
    }
    return sum;
  }

  private int matchesOf(int tile, int cell, int[] tiles) {
    int sum = 0;
    for (int edge = 0; edge < 4; edge++) {
      int neighbour = neighbours[4 * cell + edge];
      if (neighbour >= 0
          && colours[4 * tile + edge] == colours[4 * tiles[neighbour] + (edge ^ 2)]) {
        sum++;
      }
    }
    return sum;
  }
}

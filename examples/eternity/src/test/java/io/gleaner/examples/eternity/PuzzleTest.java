package io.gleaner.examples.eternity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class PuzzleTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2010, -7})
  void everyPuzzleHasASolution(long seed) {
    Puzzle puzzle = Puzzle.of(seed, 16);

    assertThat(puzzle.edges()).isEqualTo(480);
    assertThat(puzzle.solution().score()).isEqualTo(480);
  }

  @Test
  void ofTwoHundredFiftySixPiecesFourAreCornersAndFiftySixBorder() {
    Puzzle puzzle = Puzzle.of(2010, 16);

    assertThat(pieces(puzzle, 2)).isEqualTo(4);
    assertThat(pieces(puzzle, 1)).isEqualTo(56);
    assertThat(pieces(puzzle, 0)).isEqualTo(196);
  }

  @Test
  void allTwentyTwoColoursOccur() {
    Puzzle puzzle = Puzzle.of(2010, 16);

    assertThat(IntStream.range(0, 4 * 256).map(i -> puzzle.colour(i / 4, 0, i % 4)).distinct())
        .hasSize(Puzzle.COLOURS + 1)
        .allMatch(colour -> colour >= Puzzle.GREY && colour <= Puzzle.COLOURS);
  }

  @Test
  void theSameSeedMakesTheSamePuzzleAndAnotherSeedAnother() {
    Puzzle once = Puzzle.of(3, 16);

    assertThat(edges(Puzzle.of(3, 16))).isEqualTo(edges(once));
    assertThat(edges(Puzzle.of(4, 16))).isNotEqualTo(edges(once));
  }

  @Test
  void aBoardWithAPieceTwiceIsRefused() {
    Puzzle puzzle = Puzzle.of(1, 16);
    int[] tiles = puzzle.solution().tiles();
    tiles[17] = tiles[18];

    assertThatThrownBy(() -> Board.of(puzzle, tiles))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("each of 256 pieces once");
  }

  @Test
  void aBoardWithGreyInsideIsRefused() {
    Puzzle puzzle = Puzzle.of(1, 16);
    int[] tiles = puzzle.solution().tiles();
    int corner = tiles[0];
    tiles[0] = tiles[17];
    tiles[17] = corner;

    assertThatThrownBy(() -> Board.of(puzzle, tiles)).hasMessageContaining("grey");
  }

  @Test
  void aSideThatMakesNoPuzzleIsRefused() {
    assertThatThrownBy(() -> Puzzle.of(1, 2)).hasMessageContaining("'side' is 2, expected 3 to 32");
  }

  private static long pieces(Puzzle puzzle, int greys) {
    return IntStream.range(0, puzzle.cells()).filter(piece -> puzzle.greys(piece) == greys).count();
  }

  private static int[] edges(Puzzle puzzle) {
    return IntStream.range(0, 4 * puzzle.cells())
        .map(i -> puzzle.colour(i / 4, 0, i % 4))
        .toArray();
  }
}

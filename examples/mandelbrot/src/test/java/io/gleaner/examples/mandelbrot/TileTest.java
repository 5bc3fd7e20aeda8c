package io.gleaner.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class TileTest {
  private static final int PIXELS = 6;

  @Test
  void theSameTileHasTheSameBytes() {
    byte[] once = new Tile().run(Story.tile(119, 12), new Story());
    byte[] again = new Tile().run(Story.tile(119, 12), new Story());

    assertThat(again).isEqualTo(once);
  }

  @Test
  void neighboursHaveOtherBytes() {
    byte[] left = new Tile().run(Story.tile(119, 12), new Story());
    byte[] right = new Tile().run(Story.tile(120, 12), new Story());

    assertThat(right).hasSameSizeAs(left).isNotEqualTo(left);
  }

  @Test
  void progressGrowsToTheEnd() {
    Story story = new Story();

    new Tile().run(Story.tile(0, PIXELS), story);

    assertThat(story.told).isSorted().hasSize(PIXELS).endsWith(1.0);
  }

  @Test
  void theDearestTileCostsMoreThanTenTimesTheCheapest() {
    long[] work =
        IntStream.range(0, Story.TILES)
            .mapToLong(
                tile -> {
                  Renderer renderer = new Renderer(View.of(Story.tile(tile, PIXELS)));
                  renderer.render(tile, fraction -> {});
                  return renderer.work();
                })
            .sorted()
            .toArray();

    assertThat(work[work.length - 1]).isGreaterThan(10 * work[0]);
  }

  @ParameterizedTest
  @CsvSource({
    "tile, 256",
    "tile, -1",
    "iterations, 0",
    "tile_pixels, 5000",
    "tiles_per_side, none",
    "width, 1e-300",
    "width, NaN",
    "real, 1e999999999",
    "imaginary, up"
  })
  void nonsenseIsRefusedByTheNameOfItsParameter(String name, String value) {
    assertThatThrownBy(() -> new Tile().run(Story.with(name, value), new Story()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'")
        .hasMessageContaining("expected");
  }
}

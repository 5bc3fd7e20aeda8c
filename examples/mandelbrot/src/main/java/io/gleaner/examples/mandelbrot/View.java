package io.gleaner.examples.mandelbrot;

import io.gleaner.api.Parameters;
import java.math.BigDecimal;

/**
 * The picture that a bag renders and how it is cut into square tiles, numbered row by row from the
 * upper left.
 *
 * @param real real part of the centre
 * @param imaginary imaginary part of the centre
 * @param width of the picture in the complex plane
 * @param iterations after which a point counts as a member of the set
 * @param tilesPerSide the picture has this number squared of tiles
 * @param tilePixels side of a tile
 */
record View(
    BigDecimal real,
    BigDecimal imaginary,
    double width,
    int iterations,
    int tilesPerSide,
    int tilePixels) {
  private static final int MOST_DIGITS = 1_000;
  private static final int MOST_ITERATIONS = 10_000_000;
  private static final int MOST_TILES_PER_SIDE = 256;
  private static final int MOST_TILE_PIXELS = 1_024;
  private static final double SMALLEST_WIDTH = 1e-120;

  View {
    inRange("iterations", iterations, 1, MOST_ITERATIONS);
    inRange("tiles_per_side", tilesPerSide, 1, MOST_TILES_PER_SIDE);
    inRange("tile_pixels", tilePixels, 2, MOST_TILE_PIXELS);
    if (!(width >= SMALLEST_WIDTH && width <= 8)) {
      throw new IllegalArgumentException(
          "parameter 'width' is " + width + ", expected between " + SMALLEST_WIDTH + " and 8");
    }
  }

  /** Reads the view from the parameters of any of its tasks. */
  static View of(Parameters parameters) {
    return new View(
        coordinate(parameters, "real"),
        coordinate(parameters, "imaginary"),
        parameters.decimal("width"),
        parameters.integer("iterations"),
        parameters.integer("tiles_per_side"),
        parameters.integer("tile_pixels"));
  }

  int tiles() {
    return tilesPerSide * tilesPerSide;
  }

  /** Side of the picture in pixels. */
  int pixels() {
    return tilesPerSide * tilePixels;
  }

  /** Size of a pixel in the complex plane. */
  double pixel() {
    return width / pixels();
  }

  /** Column of the tile's left edge in the picture. */
  int left(int tile) {
    return tile % tilesPerSide * tilePixels;
  }

  /** Row of the tile's upper edge in the picture. */
  int top(int tile) {
    return tile / tilesPerSide * tilePixels;
  }

  /** The number of this task's tile. */
  int tile(Parameters parameters) {
    int tile = parameters.integer("tile");
    inRange("tile", tile, 0, tiles() - 1);
    return tile;
  }

  private static BigDecimal coordinate(Parameters parameters, String name) {
    String text = parameters.text(name);
    try {
      if (text.length() > MOST_DIGITS) {
        throw new NumberFormatException("too long");
      }
      BigDecimal value = new BigDecimal(text);
      if (value.precision() > MOST_DIGITS
          || Math.abs((long) value.scale()) > MOST_DIGITS
          || value.abs().compareTo(BigDecimal.valueOf(4)) > 0) {
        throw new NumberFormatException("out of range");
      }
      return value;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "parameter '"
              + name
              + "' is '"
              + text
              + "', expected a decimal number between -4 and 4 of at most "
              + MOST_DIGITS
              + " digits",
          e);
    }
  }

  private static void inRange(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "parameter '" + name + "' is " + value + ", expected " + least + " to " + most);
    }
  }
}

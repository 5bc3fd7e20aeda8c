package io.gleaner.examples.mandelbrot;

import io.gleaner.api.Parameters;
import io.gleaner.api.TaskContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The bag's own view in small, and a context that remembers what the task told. */
final class Story implements TaskContext {
  static final int TILES_PER_SIDE = 16;
  static final int TILES = TILES_PER_SIDE * TILES_PER_SIDE;

  final List<Double> told = new ArrayList<>();

  static Parameters tile(int tile, int tilePixels) {
    return Parameters.of(values(tile, tilePixels));
  }

  /** A tile that costs little, for tests that look at the order of the tiles only. */
  static Parameters cheapTile(int tile, int tilePixels) {
    Map<String, String> values = values(tile, tilePixels);
    values.put("iterations", "300");
    return Parameters.of(values);
  }

  static Parameters with(String name, String value) {
    Map<String, String> values = values(0, 8);
    values.put(name, value);
    return Parameters.of(values);
  }

  private static Map<String, String> values(int tile, int tilePixels) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("real", "-0.77467244693560901931972101022733300868308742885241");
    values.put("imaginary", "0.13742929233934603273039185908179873925629752554504");
    values.put("width", "1.8e-22");
    values.put("iterations", "10000");
    values.put("tiles_per_side", Integer.toString(TILES_PER_SIDE));
    values.put("tile_pixels", Integer.toString(tilePixels));
    values.put("tile", Integer.toString(tile));
    return values;
  }

  @Override
  public int taskIndex() {
    return 0;
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public Path input(String parameter) {
    throw new IllegalArgumentException("parameter '" + parameter + "' is not a file");
  }

  @Override
  public void progress(double fraction) {
    told.add(fraction);
  }

  @Override
  public void checkpoint(byte[] state) {
    throw new IllegalStateException("a tile needs no checkpoint");
  }

  @Override
  public Optional<byte[]> lastCheckpoint() {
    return Optional.empty();
  }
}

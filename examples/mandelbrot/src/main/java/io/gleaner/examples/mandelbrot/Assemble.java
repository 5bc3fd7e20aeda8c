package io.gleaner.examples.mandelbrot;

import io.gleaner.api.Collector;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Puts the tiles together to {@code mandelbrot.png}. Tiles that are missing are hatched, and {@code
 * missing-tiles.txt} beside the picture names them.
 */
public final class Assemble implements Collector {
  private static final System.Logger LOG = System.getLogger(Assemble.class.getName());
  private static final int HATCH_PIXELS = 12;
  private static final int HATCH_LIGHT = 0x9a9a9a;
  private static final int HATCH_DARK = 0x4a4a4a;

  @Override
  public Path collect(List<Part> parts, Path folder) throws IOException {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(
          "no tile is complete, so there is no picture; wait for the bag's first results");
    }
    View view = View.of(parts.get(0).parameters());
    BufferedImage picture =
        new BufferedImage(view.pixels(), view.pixels(), BufferedImage.TYPE_INT_RGB);
    BitSet drawn = new BitSet(view.tiles());
    for (Part part : parts) {
      if (!View.of(part.parameters()).equals(view)) {
        throw new IllegalArgumentException(
            "task "
                + part.taskIndex()
                + " renders another picture than the first task; a bag of"
                + " tiles varies the parameter 'tile' only");
      }
      int tile = view.tile(part.parameters());
      draw(view, tile, Files.readAllBytes(part.result()), picture);
      drawn.set(tile);
    }
    hatch(view, drawn, picture);
    report(view, drawn, folder);
    return write(picture, folder.resolve("mandelbrot.png"));
  }

  private static void draw(View view, int tile, byte[] ppm, BufferedImage picture) {
    int side = view.tilePixels();
    Raster raster = Raster.ofPpm(ppm, side, side);
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        picture.setRGB(view.left(tile) + column, view.top(tile) + row, raster.colour(column, row));
      }
    }
  }

  private static void hatch(View view, BitSet drawn, BufferedImage picture) {
    int side = view.tilePixels();
    for (int tile = drawn.nextClearBit(0);
        tile < view.tiles();
        tile = drawn.nextClearBit(tile + 1)) {
      for (int row = view.top(tile); row < view.top(tile) + side; row++) {
        for (int column = view.left(tile); column < view.left(tile) + side; column++) {
          boolean stripe = (row + column) / HATCH_PIXELS % 2 == 0;
          picture.setRGB(column, row, stripe ? HATCH_LIGHT : HATCH_DARK);
        }
      }
    }
  }

  private static void report(View view, BitSet drawn, Path folder) throws IOException {
    Path list = folder.resolve("missing-tiles.txt");
    int missing = view.tiles() - drawn.cardinality();
    if (missing == 0) {
      Files.deleteIfExists(list);
      return;
    }
    BitSet absent = new BitSet();
    absent.set(0, view.tiles());
    absent.andNot(drawn);
    Files.writeString(
        list,
        absent.stream().mapToObj(Integer::toString).collect(Collectors.joining("\n", "", "\n")));
    LOG.log(
        System.Logger.Level.WARNING,
        "{0} of {1} tiles are missing and hatched in the picture; {2} names them",
        missing,
        view.tiles(),
        list);
  }

  private static Path write(BufferedImage picture, Path file) throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(png)) {
      if (!ImageIO.write(picture, "png", out)) {
        throw new IOException("this Java runtime cannot write PNG; use one with java.desktop");
      }
    }
    return Files.write(file, png.toByteArray());
  }
}

package io.gleaner.examples.eternity;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Draws a board: a triangle per edge in the edge's colour with half a flower in a second colour,
 * whole where two edges match; edges that do not match are dim. Pure, and without fonts or windows.
 */
final class BoardPicture {
  private static final int CELL = 60;
  private static final int FRAME = 12;
  private static final int SAMPLES = 3;
  private static final int BACKGROUND = 0x16181d;
  private static final int GREY = 0x8a8f98;
  private static final int LINE = 0x1d2026;
  private static final double LINE_WIDTH = 0.02;
  private static final double DIM = 0.38;

  private BoardPicture() {}

  static byte[] png(Board board) throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(png)) {
      if (!ImageIO.write(draw(board), "png", out)) {
        throw new IOException("this Java runtime cannot write PNG; use one with java.desktop");
      }
    }
    return png.toByteArray();
  }

  private static BufferedImage draw(Board board) {
    int pixels = board.puzzle().side() * CELL + 2 * FRAME;
    BufferedImage image = new BufferedImage(pixels, pixels, BufferedImage.TYPE_INT_RGB);
    for (int row = 0; row < pixels; row++) {
      for (int column = 0; column < pixels; column++) {
        image.setRGB(column, row, pixel(board, column, row));
      }
    }
    return image;
  }

  private static int pixel(Board board, int column, int row) {
    int red = 0;
    int green = 0;
    int blue = 0;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
      int across = i % SAMPLES;
      int down = i / SAMPLES;
      double x = (column - FRAME + (across + 0.5) / SAMPLES) / CELL;
      double y = (row - FRAME + (down + 0.5) / SAMPLES) / CELL;
      int rgb = sample(board, x, y);
      red += rgb >> 16;
      green += rgb >> 8 & 0xff;
      blue += rgb & 0xff;
    }
    int count = SAMPLES * SAMPLES;
    return (red / count) << 16 | (green / count) << 8 | (blue / count);
  }

  /** The colour at a point in cells from the upper left of the board. */
  private static int sample(Board board, double x, double y) {
    int side = board.puzzle().side();
    if (x < 0 || y < 0 || x >= side || y >= side) {
      return BACKGROUND;
    }
    int row = (int) y;
    int column = (int) x;
    int cell = row * side + column;
    double right = x - column - 0.5;
    double down = y - row - 0.5;
    boolean sideways = Math.abs(right) > Math.abs(down);
    int edge = sideways ? (right > 0 ? 1 : 3) : (down > 0 ? 2 : 0);
    double inwards = 0.5 - (sideways ? Math.abs(right) : Math.abs(down));
    double along = sideways ? down : right;
    if (inwards < LINE_WIDTH / 2 || Math.abs(Math.abs(right) - Math.abs(down)) < LINE_WIDTH) {
      return LINE;
    }
    int colour = board.colour(cell, edge);
    if (colour == Puzzle.GREY) {
      return GREY;
    }
    int rgb = Motif.of(colour).at(along, inwards);
    return board.matches(cell, edge) ? rgb : dimmed(rgb);
  }

  private static int dimmed(int rgb) {
    int red = (int) (DIM * (rgb >> 16));
    int green = (int) (DIM * (rgb >> 8 & 0xff));
    int blue = (int) (DIM * (rgb & 0xff));
    return red << 16 | green << 8 | blue;
  }
}

package io.gleaner.examples.mandelbrot;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A small picture in memory, three bytes per pixel. Written as PPM, which has one byte form only:
 * two launchers that render the same tile give the same digest. For one thread.
 */
final class Raster {
  private final int width;
  private final int height;
  private final byte[] rgb;

  Raster(int width, int height) {
    this(width, height, new byte[3 * width * height]);
  }

  private Raster(int width, int height, byte[] rgb) {
    this.width = width;
    this.height = height;
    this.rgb = rgb;
  }

  /** Sets a pixel to the mean of so many samples, red, green and blue from 0 to 255. */
  void set(int column, int row, int samples, double[] sum) {
    for (int i = 0; i < 3; i++) {
      long level = Math.round(sum[i] / samples);
      rgb[3 * (row * width + column) + i] = (byte) Math.max(0, Math.min(255, level));
    }
  }

  /** The colour of a pixel as 0xRRGGBB. */
  int colour(int column, int row) {
    int at = 3 * (row * width + column);
    return (rgb[at] & 0xff) << 16 | (rgb[at + 1] & 0xff) << 8 | (rgb[at + 2] & 0xff);
  }

  byte[] toPpm() {
    byte[] header = header(width, height);
    byte[] ppm = Arrays.copyOf(header, header.length + rgb.length);
    System.arraycopy(rgb, 0, ppm, header.length, rgb.length);
    return ppm;
  }

  /**
   * Reads what {@link #toPpm} wrote.
   *
   * @throws IllegalArgumentException if it is not a picture of this size
   */
  static Raster ofPpm(byte[] ppm, int width, int height) {
    byte[] header = header(width, height);
    if (ppm.length != header.length + 3 * width * height
        || !Arrays.equals(ppm, 0, header.length, header, 0, header.length)) {
      throw new IllegalArgumentException(
          "the result of "
              + ppm.length
              + " bytes is not a PPM picture of "
              + width
              + " x "
              + height
              + " pixels");
    }
    return new Raster(width, height, Arrays.copyOfRange(ppm, header.length, ppm.length));
  }

  private static byte[] header(int width, int height) {
    return ("P6\n" + width + " " + height + "\n255\n").getBytes(StandardCharsets.US_ASCII);
  }
}

package io.gleaner.examples.mandelbrot;

import java.util.function.DoubleConsumer;

/**
 * Renders one tile: four samples for each pixel, and nine more where the set comes near, so that
 * fine filaments are smooth. For one thread.
 */
final class Renderer {
  /** Distance to the set, in pixels, under which a pixel gets more samples. */
  private static final double FINE = 1.5;

  private static final int COARSE_GRID = 2;
  private static final int FINE_GRID = 3;

  private final View view;
  private final Escape point;

  Renderer(View view) {
    this.view = view;
    ReferenceOrbit orbit =
        ReferenceOrbit.of(view.real(), view.imaginary(), view.width(), view.iterations());
    this.point = new Escape(orbit, view.iterations(), view.pixel());
  }

  /**
   * Renders.
   *
   * @param progress told the fraction after each row
   */
  Raster render(int tile, DoubleConsumer progress) {
    int side = view.tilePixels();
    Raster raster = new Raster(side, side);
    double middle = view.pixels() / 2.0;
    double[] sum = new double[3];
    for (int row = 0; row < side; row++) {
      double y = middle - (view.top(tile) + row + 0.5);
      for (int column = 0; column < side; column++) {
        double x = view.left(tile) + column + 0.5 - middle;
        sum[0] = sum[1] = sum[2] = 0;
        raster.set(column, row, samples(x, y, sum), sum);
      }
      progress.accept((row + 1.0) / side);
    }
    return raster;
  }

  /** Iterations so far: the cost of the work. */
  long work() {
    return point.work();
  }

  private int samples(double x, double y, double[] sum) {
    double nearest = grid(x, y, COARSE_GRID, sum);
    if (nearest > FINE) {
      return COARSE_GRID * COARSE_GRID;
    }
    grid(x, y, FINE_GRID, sum);
    return COARSE_GRID * COARSE_GRID + FINE_GRID * FINE_GRID;
  }

  /** Adds a square of samples; returns the least distance to the set of those outside it. */
  private double grid(double x, double y, int side, double[] sum) {
    double nearest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < side * side; i++) {
      int column = i % side;
      int row = i / side;
      double dx = (column + 0.5) / side - 0.5;
      double dy = (row + 0.5) / side - 0.5;
      point.run((x + dx) * view.pixel(), (y + dy) * view.pixel());
      Palette.add(point, sum);
      if (!point.inside()) {
        nearest = Math.min(nearest, point.distance());
      }
    }
    return nearest;
  }
}

package io.gleaner.examples.mandelbrot;

/**
 * How one point leaves the set: perturbation of a {@link ReferenceOrbit}, rebased to the start of
 * the orbit whenever the deviation outgrows the point itself, which keeps every digit.
 *
 * <p>Mutable and for one thread: {@link #run} leaves the outcome in the getters. Source: K. I.
 * Martin, "Superfractalthing maths", 2013 (perturbation); Zhuoran, fractalforums.org, 2021
 * (rebasing).
 */
final class Escape {
  /** Squared radius of escape; large, so that smooth colours have no bands. */
  private static final double BAILOUT = 1e6;

  private final ReferenceOrbit orbit;
  private final int limit;
  private final double pixel;

  private int iterations;
  private long work;
  private double x;
  private double y;
  private double slopeX;
  private double slopeY;

  /**
   * @param limit iterations after which a point counts as a member of the set
   * @param pixel size of a pixel in the complex plane
   */
  Escape(ReferenceOrbit orbit, int limit, double pixel) {
    this.orbit = orbit;
    this.limit = limit;
    this.pixel = pixel;
  }

  /** Iterates the point at this distance from the centre of the picture. */
  void run(double offsetX, double offsetY) {
    double[] real = orbit.real();
    double[] imaginary = orbit.imaginary();
    int last = orbit.last();
    int m = 0;
    double dx = 0;
    double dy = 0;
    double zx = 0;
    double zy = 0;
    double sx = 0;
    double sy = 0;
    int n = 0;
    while (n < limit) {
      double nextSx = 2 * (zx * sx - zy * sy) + pixel;
      sy = 2 * (zx * sy + zy * sx);
      sx = nextSx;
      double ax = 2 * real[m] + dx;
      double ay = 2 * imaginary[m] + dy;
      double nextDx = ax * dx - ay * dy + offsetX;
      dy = ax * dy + ay * dx + offsetY;
      dx = nextDx;
      m++;
      n++;
      zx = real[m] + dx;
      zy = imaginary[m] + dy;
      double size = zx * zx + zy * zy;
      if (size > BAILOUT) {
        break;
      }
      if (m == last || size < dx * dx + dy * dy) {
        dx = zx;
        dy = zy;
        m = 0;
      }
    }
    iterations = n;
    work += n;
    x = zx;
    y = zy;
    slopeX = sx;
    slopeY = sy;
  }

  boolean inside() {
    return iterations >= limit;
  }

  /** Iterations of all points so far: the cost of the work. */
  long work() {
    return work;
  }

  /** The number of iterations made continuous. */
  double smooth() {
    return iterations + 1 - StrictMath.log(StrictMath.log(size()) / 2) / StrictMath.log(2);
  }

  /** Estimated distance to the set, in pixels. */
  double distance() {
    double slope = StrictMath.hypot(slopeX, slopeY);
    return Math.sqrt(size()) * StrictMath.log(size()) / slope;
  }

  /** How much light from the upper left the potential's relief reflects here, between 0 and 1. */
  double light() {
    double ux = x * slopeX + y * slopeY;
    double uy = y * slopeX - x * slopeY;
    double length = StrictMath.hypot(ux, uy);
    double facing = length == 0 ? 0 : (uy - ux) / (length * Math.sqrt(2));
    double height = 1.4;
    return Math.max(0, (facing + height) / (1 + height));
  }

  private double size() {
    return x * x + y * y;
  }
}

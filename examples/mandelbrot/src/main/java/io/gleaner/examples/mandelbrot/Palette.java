package io.gleaner.examples.mandelbrot;

/**
 * The colours: a closed ring of deep blue, white and gold, lit from the upper left. Pure functions
 * in arithmetic that is the same on every machine.
 */
final class Palette {
  private static final double[][] STOPS = {
    {0.00, 3, 8, 46},
    {0.16, 24, 82, 177},
    {0.32, 126, 196, 240},
    {0.44, 253, 251, 235},
    {0.58, 255, 183, 40},
    {0.72, 176, 62, 14},
    {0.86, 44, 8, 38},
    {1.00, 3, 8, 46}
  };

  /** How many times the ring is passed while the iterations double. */
  private static final double TURNS = 2.6;

  private static final double START = 0.1;

  private Palette() {}

  /** Adds the colour of the point, red, green and blue from 0 to 255, to the sum. */
  static void add(Escape point, double[] sum) {
    if (point.inside()) {
      sum[0] += 4;
      sum[1] += 3;
      sum[2] += 12;
      return;
    }
    double turn = START + TURNS * StrictMath.log(Math.max(1, point.smooth())) / StrictMath.log(2);
    double at = turn - Math.floor(turn);
    int stop = 1;
    while (STOPS[stop][0] < at) {
      stop++;
    }
    double[] from = STOPS[stop - 1];
    double[] to = STOPS[stop];
    double part = (at - from[0]) / (to[0] - from[0]);
    double eased = part * part * (3 - 2 * part);
    double near = Math.min(1, point.distance());
    double shade = (0.35 + 0.75 * point.light()) * (0.25 + 0.75 * Math.sqrt(near));
    for (int i = 0; i < 3; i++) {
      double colour = from[i + 1] + eased * (to[i + 1] - from[i + 1]);
      sum[i] += Math.min(255, colour * shade);
    }
  }
}

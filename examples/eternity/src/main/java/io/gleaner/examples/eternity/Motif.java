package io.gleaner.examples.eternity;

/**
 * How one edge colour looks: a ground, and a figure around the middle of the edge whose outline
 * tells colours apart for people who see hues badly. Immutable.
 *
 * @param petals of the figure's outline
 */
record Motif(int ground, int figure, int heart, int petals) {
  private static final double RADIUS = 0.27;
  private static final double HEART = 0.10;

  private static final Motif[] ALL = all();

  static Motif of(int colour) {
    return ALL[colour];
  }

  /** The colour so far along the edge from its middle and so far inwards, in cells. */
  int at(double along, double inwards) {
    double distance = Math.hypot(along, inwards);
    if (distance < HEART) {
      return heart;
    }
    double outline = 1 + 0.22 * Math.cos(2 * petals * Math.atan2(inwards, along));
    return distance < RADIUS * outline / 1.22 ? figure : ground;
  }

  private static Motif[] all() {
    Motif[] all = new Motif[Puzzle.COLOURS + 1];
    for (int colour = 0; colour <= Puzzle.COLOURS; colour++) {
      double hue = colour * 0.381966;
      double value = colour % 2 == 0 ? 0.95 : 0.68;
      int figure = rgb(hue + 0.45, 0.35 + 0.3 * (colour % 3) / 2, 1);
      all[colour] = new Motif(rgb(hue, 0.78, value), figure, rgb(hue, 0.9, 0.45), colour % 4);
    }
    return all;
  }

  /** Hue, saturation and value, the hue in turns. */
  private static int rgb(double hue, double saturation, double value) {
    int rgb = 0;
    for (int shift = 5; shift >= 1; shift -= 2) {
      double k = (shift + 6 * hue) % 6;
      double level = value - value * saturation * Math.max(0, Math.min(1, Math.min(k, 4 - k)));
      rgb = rgb << 8 | (int) Math.round(255 * level);
    }
    return rgb;
  }
}

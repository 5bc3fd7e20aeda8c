package io.gleaner.bench;

import java.util.Locale;

/**
 * A figure with a goal.
 *
 * @param value the figure, NaN if there is none
 */
record Bar(String name, double value, String unit, Goal goal) {

  /** The goal: a bound that the value must reach or must not exceed. */
  record Goal(double bound, boolean isLeast) {
    boolean isMetBy(double value) {
      return isLeast ? value >= bound : value <= bound;
    }

    @Override
    public String toString() {
      return (isLeast ? ">= " : "<= ") + number(bound);
    }
  }

  static Bar atLeast(String name, double value, String unit, double least) {
    return new Bar(name, value, unit, new Goal(least, true));
  }

  static Bar atMost(String name, double value, String unit, double most) {
    return new Bar(name, value, unit, new Goal(most, false));
  }

  boolean isMet() {
    return goal.isMetBy(value);
  }

  @Override
  public String toString() {
    return "bar: "
        + name
        + " = "
        + (Double.isNaN(value) ? "none" : number(value))
        + " "
        + unit
        + " (goal "
        + goal
        + ") "
        + (isMet() ? "ok" : "short");
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}

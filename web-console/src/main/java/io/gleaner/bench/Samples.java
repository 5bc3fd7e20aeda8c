package io.gleaner.bench;

import java.util.Arrays;
import java.util.Collection;

/** Repeated measurements of one figure. */
record Samples(double... values) {

  static Samples of(Collection<Double> values) {
    return new Samples(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  double median() {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Half of the distance between the largest and the smallest, relative to the median. */
  double spread() {
    double least = Arrays.stream(values).min().orElse(0);
    double most = Arrays.stream(values).max().orElse(0);
    return median() == 0 ? 0 : (most - least) / 2 / median();
  }
}

package io.gleaner.description;

import java.util.ArrayList;
import java.util.List;

/**
 * Where in a description a value is, as {@code parameters.tile.range.to} or {@code
 * run_on.sites[0]}.
 *
 * @param steps keys ({@link String}) and positions ({@link Integer}) from the root
 */
record FieldPath(List<Object> steps) {

  static final FieldPath ROOT = new FieldPath(List.of());

  FieldPath {
    steps = List.copyOf(steps);
  }

  FieldPath then(Object step) {
    List<Object> longer = new ArrayList<>(steps);
    longer.add(step);
    return new FieldPath(longer);
  }

  static FieldPath of(Object... steps) {
    return new FieldPath(List.of(steps));
  }

  FieldPath parent() {
    return new FieldPath(steps.subList(0, Math.max(0, steps.size() - 1)));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Object step : steps) {
      if (step instanceof Integer position) {
        text.append('[').append(position).append(']');
      } else {
        text.append(text.length() == 0 ? "" : ".").append(step);
      }
    }
    return text.length() == 0 ? "the description" : text.toString();
  }
}

package io.gleaner.api;

import java.util.Map;
import java.util.TreeMap;

/**
 * The named values of one point of a parameter sweep; immutable.
 *
 * <p>Values are text as written in the bag description; the typed getters say which name was
 * missing or which text was not a number.
 */
public final class Parameters {
  private final TreeMap<String, String> values;

  private Parameters(Map<String, String> values) {
    this.values = new TreeMap<>(values);
  }

  public static Parameters of(Map<String, String> values) {
    return new Parameters(values);
  }

  /** All values by name, in the order of the names. */
  public Map<String, String> asMap() {
    return java.util.Collections.unmodifiableMap(values);
  }

  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "parameter '" + name + "' is missing; this task has " + values.keySet());
    }
    return value;
  }

  public int integer(String name) {
    return Math.toIntExact(longInteger(name));
  }

  public long longInteger(String name) {
    String value = text(name);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "parameter '" + name + "' is '" + value + "', expected a whole number", e);
    }
  }

  public double decimal(String name) {
    String value = text(name);
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "parameter '" + name + "' is '" + value + "', expected a number", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Parameters p && p.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}

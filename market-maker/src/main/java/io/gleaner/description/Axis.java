package io.gleaner.description;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** One factor of the product of parameters; immutable. */
interface Axis {

  int size();

  /** The parameters that it sets. */
  List<String> names();

  /** Sets its parameters and inputs for a position from 0 to size - 1. */
  void put(int position, Map<String, String> parameters, Map<String, String> inputs);

  /** An axis of one parameter whose values are computed. */
  static Axis ofValues(String name, int size, IntFunction<String> values) {
    return new OfValues(name, size, values);
  }

  /** One parameter, one value per position. */
  record OfValues(String name, int size, IntFunction<String> values) implements Axis {
    @Override
    public List<String> names() {
      return List.of(name);
    }

    @Override
    public void put(int position, Map<String, String> parameters, Map<String, String> inputs) {
      parameters.put(name, values.apply(position));
    }
  }

  /** One parameter, one file per position. */
  record OfFiles(String name, List<String> files, List<String> digests) implements Axis {
    @Override
    public int size() {
      return files.size();
    }

    @Override
    public List<String> names() {
      return List.of(name);
    }

    @Override
    public void put(int position, Map<String, String> parameters, Map<String, String> inputs) {
      parameters.put(name, files.get(position));
      inputs.put(name, digests.get(position));
    }
  }
}

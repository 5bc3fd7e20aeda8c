package io.gleaner.description;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the errors of one description, one per field; not for sharing between threads. */
final class Problems {
  private static final int LIMIT = 100;

  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> fields = new HashSet<>();

  /** Adds an error, unless the field has one already: the first says what to do. */
  void add(Place place, FieldPath field, String message) {
    if (problems.size() < LIMIT && fields.add(field.toString())) {
      problems.add(new Problem(place.line(), place.column(), field.toString(), message));
    }
  }

  boolean has(FieldPath field) {
    return fields.contains(field.toString());
  }

  /** All errors in the order of the lines. */
  List<Problem> sorted() {
    return problems.stream().sorted(Problem.BY_PLACE).toList();
  }

  /** Throws all that was collected, if anything was. */
  void refuseIfAny() {
    if (!problems.isEmpty()) {
      throw new DescriptionException(sorted());
    }
  }
}

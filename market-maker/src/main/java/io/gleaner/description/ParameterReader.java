package io.gleaner.description;

import io.gleaner.description.Parameter.Constant;
import io.gleaner.description.Parameter.Csv;
import io.gleaner.description.Parameter.Files;
import io.gleaner.description.Parameter.Listed;
import io.gleaner.description.Parameter.Range;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads the parameters of a description, in the order written. */
final class ParameterReader {
  private static final FieldPath PARAMETERS = FieldPath.of("parameters");

  private final YamlTree tree;
  private final Problems problems;

  ParameterReader(YamlTree tree, Problems problems) {
    this.tree = tree;
    this.problems = problems;
  }

  List<Parameter> read() {
    List<Parameter> parameters = new ArrayList<>();
    for (String name : tree.node(PARAMETERS).propertyNames()) {
      FieldPath field = PARAMETERS.then(name);
      if (!problems.has(field)) {
        read(name, field).ifPresent(parameters::add);
      }
    }
    return parameters;
  }

  private Optional<Parameter> read(String name, FieldPath field) {
    JsonNode node = tree.node(field);
    if (!node.isObject()) {
      return plain(name, field).flatMap(n -> text(field)).map(value -> new Constant(name, value));
    }
    if (node.has("range")) {
      return plain(name, field).flatMap(n -> range(name, field.then("range")));
    }
    if (node.has("list")) {
      return plain(name, field).flatMap(n -> list(name, field.then("list")));
    }
    if (node.has("csv")) {
      return csv(name, field.then("csv"));
    }
    return plain(name, field).flatMap(n -> files(name, field.then("files")));
  }

  /** The name, unless it is the one that only a CSV file may have. */
  private Optional<String> plain(String name, FieldPath field) {
    if (name.equals(Csv.PLAIN)) {
      problems.add(
          tree.keyOf(field), field, "only a csv parameter may be called _; give it a name");
      return Optional.empty();
    }
    return Optional.of(name);
  }

  private Optional<Parameter> range(String name, FieldPath field) {
    Optional<BigDecimal> from = number(field.then("from"));
    Optional<BigDecimal> to = number(field.then("to"));
    boolean hasStep = !tree.node(field.then("step")).isMissingNode();
    Optional<BigDecimal> step = hasStep ? number(field.then("step")) : Optional.of(BigDecimal.ONE);
    if (from.isEmpty() || to.isEmpty() || step.isEmpty() || step.get().signum() == 0) {
      return Optional.empty();
    }
    if (to.get().subtract(from.get()).signum() * step.get().signum() < 0) {
      refuse(
          field,
          "no number lies from "
              + from.get().toPlainString()
              + " to "
              + to.get().toPlainString()
              + " by steps of "
              + step.get().toPlainString()
              + "; swap from and to, or turn the sign of step");
      return Optional.empty();
    }
    Range range = new Range(name, from.get(), to.get(), step.get());
    if (range.count().compareTo(BigDecimal.valueOf(BagDescription.MAX_TASKS)) > 0) {
      refuse(
          field,
          "it has "
              + range.count().toPlainString()
              + " values; a bag has at most "
              + BagDescription.MAX_TASKS
              + " tasks, take a larger step or several bags");
      return Optional.empty();
    }
    return Optional.of(range);
  }

  private Optional<Parameter> list(String name, FieldPath field) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < tree.node(field).size(); i++) {
      text(field.then(i)).ifPresent(values::add);
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(new Listed(name, values));
  }

  private Optional<Parameter> csv(String name, FieldPath field) {
    return text(field).filter(file -> isFileName(file, field)).map(file -> new Csv(name, file));
  }

  private Optional<Parameter> files(String name, FieldPath field) {
    Optional<String> glob = text(field).filter(pattern -> isFileName(pattern, field));
    if (glob.isEmpty()) {
      return Optional.empty();
    }
    try {
      Glob.of(glob.get());
      return Optional.of(new Files(name, glob.get()));
    } catch (IllegalArgumentException e) {
      refuse(
          field,
          "'" + glob.get() + "' is not a pattern: " + e.getMessage() + "; write inputs/*.txt");
      return Optional.empty();
    }
  }

  private boolean isFileName(String name, FieldPath field) {
    Optional<String> problem = FileNames.problemOf(name);
    problem.ifPresent(sentence -> refuse(field, sentence));
    return problem.isEmpty();
  }

  private Optional<BigDecimal> number(FieldPath field) {
    JsonNode node = tree.node(field);
    return node.isNumber() && !problems.has(field)
        ? Optional.of(node.decimalValue())
        : Optional.empty();
  }

  private Optional<String> text(FieldPath field) {
    return problems.has(field) ? Optional.empty() : tree.text(field);
  }

  private void refuse(FieldPath field, String message) {
    problems.add(tree.valueOf(field), field, message);
  }
}

package io.gleaner.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** YAML as texts, lists and mappings with their lines. */
final class PolicyTree {

  /** Text that is no such tree; the message says where and why. */
  static final class NotReadable extends Exception {
    private static final long serialVersionUID = 1L;

    NotReadable(int line, String why) {
      super("line " + line + ": " + why);
    }
  }

  /** One value with its line, counted from one. */
  sealed interface Value {
    int line();

    /** The words in it, for days and messages. */
    List<String> words();

    /** It in one line. */
    default String text() {
      return String.join(", ", words());
    }
  }

  record Scalar(int line, String text) implements Value {
    @Override
    public List<String> words() {
      return List.of(text.strip().split("[\\s,]+"));
    }
  }

  record Listing(int line, List<Value> values) implements Value {
    @Override
    public String text() {
      return values.stream().map(Value::text).collect(Collectors.joining(", "));
    }

    @Override
    public List<String> words() {
      return values.stream().flatMap(value -> value.words().stream()).toList();
    }
  }

  record Mapping(int line, Map<String, Value> values) implements Value {
    @Override
    public List<String> words() {
      return List.copyOf(values.keySet());
    }
  }

  private PolicyTree() {}

  /** The mapping that the text is; an empty one if the text says nothing. */
  static Mapping read(String yaml) throws NotReadable {
    Optional<Node> root;
    try {
      // Aliases are expanded below, so none are allowed.
      LoadSettings settings = LoadSettings.builder().setMaxAliasesForCollections(0).build();
      root = new Compose(settings).composeString(yaml);
    } catch (MarkedYamlEngineException e) {
      throw new NotReadable(
          e.getProblemMark().map(Mark::getLine).orElse(0) + 1,
          "this is no YAML: " + e.getProblem() + "; check indentation, quotes and colons");
    } catch (YamlEngineException e) {
      throw new NotReadable(1, "this is no YAML: " + e.getMessage());
    }
    Value value = root.isEmpty() ? new Mapping(1, Map.of()) : value(root.get(), 0);
    if (value instanceof Mapping mapping) {
      return mapping;
    }
    throw new NotReadable(1, "expected lines of the form 'key: value'");
  }

  private static Value value(Node node, int depth) throws NotReadable {
    int line = line(node);
    if (depth > 4 || node.getAnchor().isPresent()) {
      throw new NotReadable(line, "nested too deeply, or with an anchor (&); write it out");
    }
    if (node instanceof SequenceNode sequence) {
      List<Value> values = new ArrayList<>();
      for (Node element : sequence.getValue()) {
        values.add(value(element, depth + 1));
      }
      return new Listing(line, List.copyOf(values));
    }
    if (node instanceof MappingNode mapping) {
      Map<String, Value> values = new LinkedHashMap<>();
      for (NodeTuple tuple : mapping.getValue()) {
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
          throw new NotReadable(line(tuple.getKeyNode()), "a key must be a word");
        }
        Value before = values.put(key.getValue(), value(tuple.getValueNode(), depth + 1));
        if (before != null) {
          throw new NotReadable(
              line(key), key.getValue() + " stands on line " + before.line() + " too; keep one");
        }
      }
      return new Mapping(line, values);
    }
    return new Scalar(line, ((ScalarNode) node).getValue());
  }

  private static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }
}

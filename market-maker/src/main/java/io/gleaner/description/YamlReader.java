package io.gleaner.description;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads YAML 1.2 with the JSON schema's scalars and no more: no aliases, no tags, no second
 * document, no key twice, a bounded size and depth. Not for sharing between threads.
 */
final class YamlReader {
  static final int MAX_CHARACTERS = 1024 * 1024;
  static final int MAX_DEPTH = 16;

  /** Keys, values and lists together: each costs the checks that follow some microseconds. */
  static final int MAX_NODES = 20_000;

  private static final int MAX_NUMBER_CHARACTERS = 40;
  private static final int MAX_EXPONENT = 30;

  private final Problems problems;
  private final Map<FieldPath, Place> keys = new HashMap<>();
  private final Map<FieldPath, Place> values = new HashMap<>();
  private final Map<FieldPath, String> texts = new HashMap<>();

  private YamlReader(Problems problems) {
    this.problems = problems;
  }

  /**
   * Reads the text.
   *
   * @return the tree, or empty if it cannot be read; the problems then say why
   */
  static Optional<YamlTree> read(String yaml, Problems problems) {
    if (yaml.length() > MAX_CHARACTERS) {
      problems.add(
          Place.START,
          FieldPath.ROOT,
          "it has "
              + yaml.length()
              + " characters, at most "
              + MAX_CHARACTERS
              + " are read; move long lists into a CSV file");
      return Optional.empty();
    }
    try {
      return new YamlReader(problems).read(yaml);
    } catch (MarkedYamlEngineException e) {
      problems.add(
          e.getProblemMark().map(YamlReader::place).orElse(Place.START),
          FieldPath.ROOT,
          "this is not YAML: " + e.getProblem() + "; check indentation, quotes and colons");
    } catch (YamlEngineException e) {
      problems.add(Place.START, FieldPath.ROOT, "this is not YAML: " + e.getMessage());
    }
    return Optional.empty();
  }

  private Optional<YamlTree> read(String yaml) {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(MAX_CHARACTERS).build();
    if (!isPlain(new Parse(settings).parseString(yaml))) {
      return Optional.empty();
    }
    Optional<Node> root = new Compose(settings).composeString(yaml);
    if (root.isEmpty()) {
      problems.add(Place.START, FieldPath.ROOT, "it is empty; write at least name and bundle");
      return Optional.empty();
    }
    values.put(FieldPath.ROOT, Place.START);
    keys.put(FieldPath.ROOT, Place.START);
    JsonNode tree = convert(root.get(), FieldPath.ROOT);
    return Optional.of(new YamlTree(tree, keys, values, texts));
  }

  /** Looks at the events before anything is built from them, so that hostile text costs little. */
  private boolean isPlain(Iterable<Event> events) {
    int depth = 0;
    int documents = 0;
    int nodes = 0;
    for (Event event : events) {
      Place place = event.getStartMark().map(YamlReader::place).orElse(Place.START);
      if (event instanceof CollectionStartEvent && ++depth > MAX_DEPTH) {
        problems.add(
            place, FieldPath.ROOT, "it is nested deeper than " + MAX_DEPTH + " levels; flatten it");
        return false;
      }
      if (event instanceof NodeEvent && ++nodes > MAX_NODES) {
        problems.add(
            place,
            FieldPath.ROOT,
            "it has more than "
                + MAX_NODES
                + " keys and values; move long lists into a CSV file or write a range");
        return false;
      }
      if (event instanceof CollectionEndEvent) {
        depth--;
      }
      if (event instanceof AliasEvent
          || (event instanceof NodeEvent node && node.getAnchor().isPresent())) {
        problems.add(
            place, FieldPath.ROOT, "anchors and aliases (& and *) are not read; write it out");
        return false;
      }
      if (event instanceof DocumentStartEvent && ++documents > 1) {
        problems.add(
            place, FieldPath.ROOT, "a second document begins here; write one bag per file");
        return false;
      }
    }
    return true;
  }

  private JsonNode convert(Node node, FieldPath path) {
    values.putIfAbsent(path, place(node));
    if (node instanceof MappingNode mapping && mapping.getTag().equals(Tag.MAP)) {
      return object(mapping, path);
    }
    if (node instanceof SequenceNode sequence && sequence.getTag().equals(Tag.SEQ)) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      for (Node element : sequence.getValue()) {
        FieldPath at = path.then(array.size());
        keys.put(at, place(element));
        array.add(convert(element, at));
      }
      return array;
    }
    if (node instanceof ScalarNode scalar) {
      texts.put(path, scalar.getValue());
      return scalar(scalar, path);
    }
    problems.add(place(node), path, "the tag " + node.getTag() + " is not read; leave it out");
    return JsonNodeFactory.instance.nullNode();
  }

  private ObjectNode object(MappingNode mapping, FieldPath path) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        problems.add(place(tuple.getKeyNode()), path, "a key must be a word, not a list or a map");
        continue;
      }
      FieldPath at = path.then(key.getValue());
      if (object.has(key.getValue())) {
        problems.add(
            place(key),
            at,
            "this key was written before, on line "
                + keys.get(at).line()
                + "; keep one of the two");
        continue;
      }
      keys.put(at, place(key));
      object.set(key.getValue(), convert(tuple.getValueNode(), at));
    }
    return object;
  }

  private JsonNode scalar(ScalarNode scalar, FieldPath path) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    if (tag.equals(Tag.STR)) {
      return nodes.stringNode(text);
    }
    if (tag.equals(Tag.NULL)) {
      return nodes.nullNode();
    }
    if (tag.equals(Tag.BOOL)) {
      return nodes.booleanNode(Boolean.parseBoolean(text));
    }
    if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
      return number(scalar, path);
    }
    problems.add(place(scalar), path, "the tag " + tag + " is not read; leave it out");
    return nodes.nullNode();
  }

  private JsonNode number(ScalarNode scalar, FieldPath path) {
    String text = scalar.getValue();
    try {
      if (text.length() <= MAX_NUMBER_CHARACTERS) {
        BigDecimal value = new BigDecimal(text);
        if (Math.abs(value.scale()) <= MAX_EXPONENT) {
          return JsonNodeFactory.instance.numberNode(value);
        }
      }
    } catch (NumberFormatException e) {
      // Said below: infinities and NaN are numbers in YAML and not here.
    }
    problems.add(place(scalar), path, "'" + text + "' is out of range; write an ordinary number");
    return JsonNodeFactory.instance.nullNode();
  }

  private static Place place(Node node) {
    return node.getStartMark().map(YamlReader::place).orElse(Place.START);
  }

  private static Place place(Mark mark) {
    return new Place(mark.getLine() + 1, mark.getColumn() + 1);
  }
}

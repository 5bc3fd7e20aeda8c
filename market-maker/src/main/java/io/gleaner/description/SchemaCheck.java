package io.gleaner.description;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import io.gleaner.wording.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Holds a tree against the published schema and says each error in a sentence that the schema's own
 * titles and examples make. Safe for all threads.
 */
final class SchemaCheck {
  private static final String RESOURCE = "/schema/bag.schema.json";
  private static final Schema SCHEMA = load();
  private static final int SHOWN = 60;

  private SchemaCheck() {}

  private static Schema load() {
    try (InputStream in = SchemaCheck.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the program");
      }
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void check(YamlTree tree, Problems problems) {
    for (Error error : SCHEMA.validate(tree.root())) {
      FieldPath field = pathOf(error.getInstanceLocation());
      String keyword = error.getKeyword();
      if ("additionalProperties".equals(keyword)) {
        unknown(tree, field, error.getProperty(), problems);
      } else if ("required".equals(keyword)) {
        FieldPath missing = field.then(error.getProperty());
        problems.add(tree.valueOf(field), missing, "is missing; " + advice(missing));
      } else {
        problems.add(tree.valueOf(field), field, found(tree, field) + " is not " + expected(field));
      }
    }
  }

  /** What the field should be, with an example, as the schema says. */
  static String expected(FieldPath field) {
    JsonNode schema = schemaOf(field);
    String title = schema.path("title").asString("what is expected here");
    String example = schema.path("examples").path(0).asString("");
    return title + (example.isEmpty() ? "" : "; write " + sample(example));
  }

  private static String sample(String example) {
    return example.startsWith("a whole number") ? example : "for example " + example;
  }

  private static String advice(FieldPath field) {
    JsonNode schema = schemaOf(field);
    Object key = field.steps().get(field.steps().size() - 1);
    return "add "
        + schema.path("title").asString("it")
        + ": "
        + key
        + ": "
        + schema.path("examples").path(0).asString("...");
  }

  private static void unknown(YamlTree tree, FieldPath parent, String key, Problems problems) {
    FieldPath field = parent.then(key);
    List<String> known = List.copyOf(schemaOf(parent).path("properties").propertyNames());
    if (known.isEmpty()) {
      problems.add(
          tree.keyOf(field),
          field,
          "'"
              + shorten(key)
              + "' is not a name; write 1 to 64 letters, digits and _, no digit first");
      return;
    }
    String choice =
        NearestName.of(key, known)
            .map(name -> "did you mean '" + name + "'?")
            .orElse("known here: " + String.join(", ", known));
    problems.add(tree.keyOf(field), field, "there is no such key; " + choice);
  }

  /** What was written, as a person would name it. */
  static String found(YamlTree tree, FieldPath field) {
    JsonNode node = tree.node(field);
    if (node.isNull()) {
      return "nothing";
    }
    if (node.isObject()) {
      return node.isEmpty() ? "an empty map" : "a map with " + String.join(", ", names(node));
    }
    if (node.isArray()) {
      return node.isEmpty() ? "an empty list" : "a list of " + node.size();
    }
    return "'" + shorten(tree.text(field).orElse(node.asString())) + "'";
  }

  private static List<String> names(JsonNode node) {
    return node.propertyNames().stream().limit(10).toList();
  }

  private static String shorten(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  private static FieldPath pathOf(NodePath location) {
    FieldPath path = FieldPath.ROOT;
    for (int i = 0; i < location.getNameCount(); i++) {
      path = path.then(location.getElement(i));
    }
    return path;
  }

  /** The part of the schema that describes the field; the schema is plain enough to walk. */
  private static JsonNode schemaOf(FieldPath field) {
    JsonNode schema = SCHEMA.getSchemaNode();
    for (Object step : field.steps()) {
      JsonNode body = resolve(schema);
      if (step instanceof Integer) {
        schema = body.path("items");
      } else {
        JsonNode property = body.path("properties").path((String) step);
        schema =
            property.isMissingNode()
                ? Optional.of(body.path("patternProperties"))
                    .filter(patterns -> !patterns.isEmpty())
                    .map(patterns -> patterns.iterator().next())
                    .orElse(property)
                : property;
      }
    }
    return schema;
  }

  private static JsonNode resolve(JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    return reference.isEmpty()
        ? schema
        : SCHEMA.getSchemaNode().at(reference.substring(1)); // "#/$defs/names"
  }
}

package io.gleaner.description;

import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A YAML document as a JSON tree that still knows where each field was and how it was written.
 *
 * @param root the document; numbers are decimals, never binary fractions
 * @param keys where each field's key begins, or its value in a list
 * @param values where each value begins
 * @param texts scalars as written
 */
record YamlTree(
    JsonNode root,
    Map<FieldPath, Place> keys,
    Map<FieldPath, Place> values,
    Map<FieldPath, String> texts) {

  /** The scalar as written, or empty where there is none. */
  Optional<String> text(FieldPath field) {
    return Optional.ofNullable(texts.get(field));
  }

  Place valueOf(FieldPath field) {
    return nearest(values, field);
  }

  Place keyOf(FieldPath field) {
    return nearest(keys, field);
  }

  JsonNode node(FieldPath field) {
    JsonNode node = root;
    for (Object step : field.steps()) {
      node = step instanceof Integer position ? node.path(position) : node.path((String) step);
    }
    return node;
  }

  /** The place of the field, or of the nearest one around it. */
  private static Place nearest(Map<FieldPath, Place> places, FieldPath field) {
    FieldPath at = field;
    while (!places.containsKey(at) && !at.steps().isEmpty()) {
      at = at.parent();
    }
    return places.getOrDefault(at, Place.START);
  }
}

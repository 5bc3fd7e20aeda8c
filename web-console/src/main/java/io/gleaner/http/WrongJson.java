package io.gleaner.http;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What is wrong with a body, in words of the caller: no names of classes. */
final class WrongJson {
  private static final int LONGEST_NAME = 64;

  /** As Jackson says it; it has no exception of its own for it. */
  private static final String TWICE = "Duplicate";

  private WrongJson() {}

  static String sentence(JacksonException wrong) {
    if (wrong instanceof UnrecognizedPropertyException unknown) {
      return "there is no field '"
          + printable(unknown.getPropertyName())
          + "'; expected "
          + unknown.getKnownPropertyIds().stream()
              .map(String::valueOf)
              .sorted()
              .collect(Collectors.joining(", "));
    }
    if (wrong instanceof MismatchedInputException mismatch) {
      String field =
          mismatch.getPath().stream()
              .map(JacksonException.Reference::getPropertyName)
              .filter(name -> name != null)
              .collect(Collectors.joining("."));
      return (field.isEmpty() ? "the whole" : "the field '" + printable(field) + "'")
          + " must be "
          + kind(mismatch.getTargetType());
    }
    if (wrong instanceof StreamReadException && wrong.getOriginalMessage().startsWith(TWICE)) {
      return "a field is there twice; send each once";
    }
    return "it is no JSON, or too deep; look at its brackets and quotes";
  }

  private static String kind(Class<?> type) {
    if (type == null) {
      return "of another kind";
    }
    if (type.isEnum()) {
      return "one of "
          + Arrays.stream(type.getEnumConstants())
              .map(String::valueOf)
              .collect(Collectors.joining(", "));
    }
    if (type == String.class) {
      return "a text";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
      return "a whole number";
    }
    if (Collection.class.isAssignableFrom(type) || type.isArray()) {
      return "a list";
    }
    return Map.class.isAssignableFrom(type) || type.isRecord() ? "an object" : "of another kind";
  }

  private static String printable(String text) {
    return text.substring(0, Math.min(LONGEST_NAME, text.length())).replaceAll("[^ -~]", "?");
  }
}

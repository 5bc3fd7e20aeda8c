package io.gleaner.cli;

import io.gleaner.audit.PlainText;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** How commands write: tables for people, JSON for programs. */
final class Terminal {
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Terminal() {}

  static void json(PrintStream out, JsonNode node) {
    out.println(PRETTY.writeValueAsString(node));
  }

  /**
   * Prints what a node lists: its answer as it came, or a table with a row for each.
   *
   * @param list the field of the answer that is the list
   */
  static void list(
      PrintStream out,
      JsonNode answer,
      boolean asJson,
      String list,
      List<String> heading,
      Function<JsonNode, List<String>> row) {
    if (asJson) {
      json(out, answer);
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(heading);
    answer.path(list).forEach(each -> rows.add(row.apply(each)));
    table(out, rows);
  }

  /** The fields as texts, in that order. */
  static List<String> texts(JsonNode of, String... fields) {
    return Stream.of(fields).map(field -> of.path(field).asString()).toList();
  }

  /** Prints the rows in columns; the first row is the heading. Cells become plain text. */
  static void table(PrintStream out, List<List<String>> texts) {
    List<List<String>> rows =
        texts.stream().map(row -> row.stream().map(PlainText::of).toList()).toList();
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(i == 0 ? "" : "  ").append(pad(row.get(i), widths[i]));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  /** Hours, minutes and seconds as a clock: 0:07, 12:30, 1:02:03. */
  static String clock(Duration time) {
    long seconds = Math.max(0, time.toSeconds());
    return seconds >= 3600
        ? "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60)
        : "%d:%02d".formatted(seconds / 60, seconds % 60);
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}

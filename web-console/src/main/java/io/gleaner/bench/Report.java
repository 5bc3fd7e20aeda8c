package io.gleaner.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tells conditions, rows and bars as they come, and all of it as JSON in the end. */
public final class Report {
  private static final int PATTERN_WIDTH = 38;
  private static final int FIGURE_WIDTH = 20;

  private final PrintStream out;
  private final ObjectNode json = JsonMapper.shared().createObjectNode();
  private final List<String> columns = new ArrayList<>();

  /**
   * A report.
   *
   * @param out where sentences and the table go
   */
  public Report(PrintStream out) {
    this.out = out;
    json.putArray("rows");
    json.putArray("bars");
  }

  void conditions(Map<String, String> told) {
    ObjectNode node = json.putObject("conditions");
    told.forEach(
        (name, value) -> {
          out.printf(Locale.ROOT, "%-8s %s%n", name, value);
          node.put(name, value);
        });
    out.println();
  }

  /** Begins the table; the first peer is the one that others are compared with. */
  void columns(List<String> peers) {
    columns.clear();
    columns.addAll(peers);
    StringBuilder line = new StringBuilder();
    line.append(padded("per second", PATTERN_WIDTH)).append(padded("clients", 8));
    peers.forEach(peer -> line.append(right(peer, FIGURE_WIDTH)));
    out.println(line + right("spread", 9));
  }

  void row(Row row) {
    StringBuilder line = new StringBuilder();
    line.append(padded(row.pattern(), PATTERN_WIDTH)).append(padded("" + row.clients(), 8));
    for (String peer : columns) {
      line.append(right(figure(row, peer), FIGURE_WIDTH));
    }
    row.largestSpread()
        .ifPresent(
            spread -> line.append(right(String.format(Locale.ROOT, "%.0f %%", 100 * spread), 9)));
    out.println(line.toString().stripTrailing());
    ObjectNode node = ((ArrayNode) json.get("rows")).addObject();
    node.put("pattern", row.pattern()).put("clients", row.clients()).put("unit", row.unit());
    row.rates()
        .forEach(
            (peer, samples) -> {
              ArrayNode values =
                  node.putObject(peer).put("median", samples.median()).putArray("all");
              for (double value : samples.values()) {
                values.add(value);
              }
            });
  }

  void bar(Bar bar) {
    out.println(bar);
    ObjectNode node = ((ArrayNode) json.get("bars")).addObject();
    node.put("name", bar.name()).put("unit", bar.unit()).put("goal", bar.goal().toString());
    if (!Double.isNaN(bar.value())) {
      node.put("value", bar.value());
    }
    node.put("ok", bar.isMet());
  }

  /** A sentence between the figures. */
  void note(String sentence) {
    out.println(sentence);
  }

  /** Everything told so far. */
  public String json() {
    return json.toPrettyString();
  }

  private String figure(Row row, String peer) {
    if (!row.rates().containsKey(peer)) {
      return "-";
    }
    String rate = String.format(Locale.ROOT, "%,.0f", row.rate(peer));
    String first = columns.get(0);
    return peer.equals(first) || !row.rates().containsKey(first)
        ? rate
        : rate + String.format(Locale.ROOT, " (%5.1fx)", row.ratio(peer, first));
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }

  private static String right(String text, int width) {
    return " ".repeat(Math.max(1, width - text.length())) + text;
  }
}

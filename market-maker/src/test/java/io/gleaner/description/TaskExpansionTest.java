package io.gleaner.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A bag is the product of its parameters, in the order written, computed by index. */
@Timeout(60)
class TaskExpansionTest {
  private final Map<String, String> files = new HashMap<>();
  private final Map<String, byte[]> contents = new HashMap<>();

  @Test
  void withoutParametersThereIsOneTask() {
    TaskExpansion tasks = expand("");
    assertThat(tasks.size()).isEqualTo(1);
    assertThat(tasks.task(0).parameters()).isEmpty();
  }

  @Test
  void theLastParameterVariesFastestAndDecimalsAreExact() {
    TaskExpansion tasks =
        expand(
            """
            parameters:
              x: {range: {from: 0.1, to: 0.3, step: 0.1}}
              colour: {list: [red, blue]}
              depth: 5
            """);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      Map<String, String> parameters = tasks.task(i).parameters();
      all.add(parameters.get("x") + parameters.get("colour") + parameters.get("depth"));
    }
    assertThat(all)
        .containsExactly("0.1red5", "0.1blue5", "0.2red5", "0.2blue5", "0.3red5", "0.3blue5");
  }

  @Test
  void rowsOfACsvFileBecomeParametersByColumn() {
    handIn("cases.csv", "\uFEFFname, size\r\n\"a, b\",1\r\nc,\"2\n3\"\r\n");
    TaskExpansion plain = expand("parameters: {_: {csv: cases.csv}}");
    TaskExpansion named = expand("parameters: {case: {csv: cases.csv}}");

    assertThat(plain.task(0).parameters()).isEqualTo(Map.of("name", "a, b", "size", "1"));
    assertThat(named.task(1).parameters()).isEqualTo(Map.of("case.name", "c", "case.size", "2\n3"));
  }

  @Test
  void filesThatMatchAPatternBecomeInputsInTheOrderOfTheirNames() {
    handIn("in/b.txt", "B");
    handIn("in/a.txt", "A");
    handIn("other/c.txt", "C");
    TaskExpansion tasks = expand("parameters: {board: {files: 'in/*.txt'}}");

    assertThat(tasks.size()).isEqualTo(2);
    assertThat(tasks.task(0).parameters()).isEqualTo(Map.of("board", "in/a.txt"));
    assertThat(tasks.task(1).inputs()).isEqualTo(Map.of("board", "digest of in/b.txt"));
  }

  @Test
  void aMillionTasksCostNothingUntilOneIsAskedFor() {
    TaskExpansion tasks =
        expand(
            """
            parameters:
              a: {range: {from: 1, to: 1000}}
              b: {range: {from: 1, to: 1000}}
            """);
    assertThat(tasks.size()).isEqualTo(1_000_000);
    assertThat(tasks.task(999_999).parameters()).isEqualTo(Map.of("a", "1000", "b", "1000"));
    assertThatThrownBy(() -> tasks.task(1_000_000)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void whatCannotBeExpandedIsRefusedWithASentence() {
    handIn("ragged.csv", "a,b\n1,2\n3\n");
    handIn("twice.csv", "a,a\n1,2\n");
    handIn("header.csv", "a,b\n");
    handIn("quote.csv", "a\n\"open");
    contents.put("digest of latin.csv", new byte[] {'a', '\n', (byte) 0xe9, '\n'});
    files.put("latin.csv", "digest of latin.csv");

    refuses("parameters: {p: {csv: nowhere.csv}}", "'nowhere.csv' was not handed in");
    refuses("parameters: {p: {files: '*.dat'}}", "no file that was handed in matches '*.dat'");
    refuses("parameters: {p: {csv: ragged.csv}}", "row 2 has 1 values, the header has 2");
    refuses("parameters: {p: {csv: twice.csv}}", "a different name for each column");
    refuses("parameters: {p: {csv: header.csv}}", "no row below its header");
    refuses("parameters: {p: {csv: quote.csv}}", "not CSV");
    refuses("parameters: {p: {csv: latin.csv}}", "not UTF-8");
    refuses("parameters: {a: 1, _: {csv: ragged2.csv}}", "was not handed in");
    handIn("same.csv", "a\n1\n");
    refuses("parameters: {a: 1, _: {csv: same.csv}}", "a second parameter is called 'a'");
    refuses(
        "parameters: {a: {range: {from: 1, to: 1001}}, b: {range: {from: 1, to: 1000}}}",
        "has 1001000 tasks; a bag has at most 1000000");
  }

  @Test
  @Tag("S15")
  void theFilesOfABagAreBoundedTogetherHoweverOftenTheyAreNamed() {
    handIn("wide.csv", "a,b,c\n" + "x".repeat(1_000_000) + ",\u00e9,\n");
    StringBuilder often = new StringBuilder("parameters:\n");
    for (int i = 0; i < 60; i++) {
      often.append("  p").append(i).append(": {csv: wide.csv}\n");
    }
    assertThat(expand(often.toString()).task(0).parameters())
        .hasSize(180)
        .containsEntry("p59.b", "\u00e9")
        .containsEntry("p59.c", "");
    for (int i = 60; i < 70; i++) {
      often.append("  p").append(i).append(": {csv: wide.csv}\n");
    }
    refuses(
        often.toString(),
        "the CSV files of the bag's parameters have more than 67108864 bytes together, with"
            + " parameters.p67: wide.csv; name each file once, leave out columns, or split the bag");
  }

  @Test
  @Tag("S15")
  void manyShortValuesAreBoundedToo() {
    String row = ",".repeat(99) + "\n";
    StringBuilder header = new StringBuilder("c0");
    for (int i = 1; i < 100; i++) {
      header.append(",c").append(i);
    }
    handIn("many.csv", header + "\n" + row.repeat(CsvRoom.MAX_VALUES / 100 + 1));
    refuses(
        "parameters: {p: {csv: many.csv}}",
        "have more than 10000000 values together, with parameters.p: many.csv; name each");
  }

  @Test
  void indexingAgreesWithTheNaiveProduct() {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("TaskExpansionTest gleaner.seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      StringBuilder yaml = new StringBuilder("parameters:\n  zero: 0\n");
      List<Map<String, String>> naive = List.of(Map.of("zero", "0"));
      int parameters = random.nextInt(5);
      for (int p = 0; p < parameters; p++) {
        naive =
            random.nextBoolean()
                ? addList(p, random, yaml, naive)
                : addRange(p, random, yaml, naive);
      }
      TaskExpansion tasks = expand(yaml.toString());
      assertThat(tasks.size()).as("seed %s round %s", seed, round).isEqualTo(naive.size());
      for (int probe = 0; probe < 50; probe++) {
        int index = random.nextInt(naive.size());
        assertThat(tasks.task(index).parameters())
            .as("seed %s round %s index %s of %s", seed, round, index, yaml)
            .isEqualTo(naive.get(index));
      }
    }
  }

  private static List<Map<String, String>> addList(
      int p, Random random, StringBuilder yaml, List<Map<String, String>> naive) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(7); i++) {
      values.add("v" + random.nextInt(100));
    }
    yaml.append("  p").append(p).append(": {list: ").append(values).append("}\n");
    return product("p" + p, values, naive);
  }

  private static List<Map<String, String>> addRange(
      int p, Random random, StringBuilder yaml, List<Map<String, String>> naive) {
    BigDecimal from = BigDecimal.valueOf(random.nextInt(2000) - 1000, random.nextInt(4));
    BigDecimal step = BigDecimal.valueOf(1 + random.nextInt(500), random.nextInt(4));
    if (random.nextBoolean()) {
      step = step.negate();
    }
    int count = 1 + random.nextInt(8);
    BigDecimal to =
        from.add(step.multiply(BigDecimal.valueOf(count - 1)))
            .add(step.multiply(new BigDecimal("0.5")));
    yaml.append(
        "  p%d: {range: {from: %s, to: %s, step: %s}}%n"
            .formatted(p, from.toPlainString(), to.toPlainString(), step.toPlainString()));
    List<String> values = new ArrayList<>();
    BigDecimal value = from;
    for (int i = 0; i < count; i++) {
      values.add(value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString());
      value = value.add(step);
    }
    return product("p" + p, values, naive);
  }

  private static List<Map<String, String>> product(
      String name, List<String> values, List<Map<String, String>> before) {
    List<Map<String, String>> after = new ArrayList<>();
    for (Map<String, String> point : before) {
      for (String value : values) {
        Map<String, String> next = new LinkedHashMap<>(point);
        next.put(name, value);
        after.add(next);
      }
    }
    return after;
  }

  private void handIn(String name, String text) {
    files.put(name, "digest of " + name);
    contents.put("digest of " + name, text.getBytes(StandardCharsets.UTF_8));
  }

  private TaskExpansion expand(String parameters) {
    BagDescription bag =
        BagParser.parse("name: a\nbundle: a.jar\nentry_point: a.A\n" + parameters + "\n");
    return TaskExpansion.of(bag, files, digest -> new ByteArrayInputStream(contents.get(digest)));
  }

  private void refuses(String parameters, String sentence) {
    assertThatThrownBy(() -> expand(parameters))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining(sentence);
  }
}

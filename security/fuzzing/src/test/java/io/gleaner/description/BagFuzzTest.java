package io.gleaner.description;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gleaner.fuzzing.Corpus;
import io.gleaner.fuzzing.Cost;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** The description of a bag, and its tasks. */
public class BagFuzzTest {

  @MethodSource("descriptions")
  @DictionaryEntries({
    "\\x0Aparameters:\\x0A  a: ",
    "{range: {from: 0, to: 9, step: 0.5}}",
    "{list: [1, 2]}",
    "{csv: a.csv}",
    "{files: \\x22*\\x22}",
    "\\x0Alimits: {time: 2h}",
    "\\x0Aestimate: {units_per_task: 0.5}",
    "\\x0Abudget: 1e9",
    "\\x0Adeadline: PT1M",
    "\\x0Arun_on: {sites: [a]}",
    "\\x0Anotify: {at: [done]}",
    "99999999999999999999",
    "!!java",
    "&a",
    "*a"
  })
  @FuzzTest
  @Tag("S4")
  public void isRefusedOrHasItsTasks(byte[] written) {
    String text = new String(written, StandardCharsets.UTF_8);
    try {
      BagDescription bag = Cost.bounded(written.length, () -> BagParser.parse(text));
      Map<String, String> files = new HashMap<>();
      bag.files().forEach(file -> files.put(file, "digest"));
      TaskExpansion tasks =
          Cost.bounded(
              written.length,
              () ->
                  TaskExpansion.of(
                      bag,
                      files,
                      digest ->
                          new ByteArrayInputStream("x,y\n1,2\n".getBytes(StandardCharsets.UTF_8))));
      assertThat(tasks.size()).isBetween(1, BagDescription.MAX_TASKS);
      assertThat(tasks.task(0)).isNotNull();
      assertThat(tasks.task(tasks.size() - 1)).isNotNull();
    } catch (DescriptionException refused) {
      assertThat(refused).message().isNotBlank();
    }
  }

  public static Stream<byte[]> descriptions() {
    return Corpus.with(
        BagFuzzTest.class,
        Stream.of(
                """
            name: least
            bundle: least.jar
            entry_point: org.example.Least
            """,
                """
            {"name": "json", "bundle": "a.jar", "entry_point": "A", "parameters": {"a": {"list": [1]}}}
            """)
            .map(text -> text.getBytes(StandardCharsets.UTF_8)));
  }
}

package io.gleaner.description;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A file of parameters that somebody handed in. */
public class CsvFuzzTest {
  private static final Parameter.Csv PARAMETER = new Parameter.Csv("p", "p.csv");

  @MethodSource("files")
  @FuzzTest
  @Tag("S4")
  public void isRefusedOrHasRows(byte[] file) {
    try {
      CsvRows rows =
          Cost.bounded(
              file.length,
              () ->
                  CsvRows.read(
                      PARAMETER, "d", digest -> new ByteArrayInputStream(file), new CsvRoom()));
      Map<String, String> parameters = new HashMap<>();
      rows.put(rows.size() - 1, parameters, Map.of());
      assertThat(parameters).hasSameSizeAs(rows.names());
    } catch (DescriptionException refused) {
      assertThat(refused).message().isNotBlank();
    }
  }

  public static Stream<byte[]> files() {
    return Corpus.with(
        CsvFuzzTest.class,
        Stream.of("a,b\n1,2\n", "\uFEFFa\r\n\"x \"\"y\"\"\r\nz\"\r\n", "a\n")
            .map(text -> text.getBytes(StandardCharsets.UTF_8)));
  }
}

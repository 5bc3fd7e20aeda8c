package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that a browser hands in without their folder are found, whatever pattern asks for them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UploadNamesTest {

  @Test
  void anUploadedFileServesUnderTheNameOfTheDescription() {
    assertThat(
            UploadNames.asDescribed(
                description("boards/[a-b].{txt,dat}"),
                Map.of("x.jar", "1", "a.txt", "2", "c.txt", "3")))
        .isEqualTo(
            Map.of(
                "x.jar",
                "1",
                "target/x.jar",
                "1",
                "a.txt",
                "2",
                "boards/a.txt",
                "2",
                "c.txt",
                "3"));
  }

  @Test
  @Tag("S3")
  void aPatternThatWouldTryEveryWayTakesNoTime() {
    Map<String, String> uploaded = Map.of("a".repeat(240) + "c", "1");
    assertThat(UploadNames.asDescribed(description("*a".repeat(40) + "b"), uploaded))
        .isEqualTo(uploaded);
  }

  private static String description(String pattern) {
    return """
        name: n
        bundle: target/x.jar
        entry_point: a.B
        parameters:
          f: {files: "%s"}
        """
        .formatted(pattern);
  }
}

package io.gleaner.wording;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WordingTest {

  @Test
  void sizesAreReadAsPeopleWriteThem() {
    assertThat(Sizes.parse("1 kB")).contains(1024L);
    assertThat(Sizes.parse("3GiB")).contains(3L << 30);
    assertThat(Sizes.parse("999999999999999 TB")).isEmpty();
    assertThat(Sizes.parse("12")).isEmpty();
  }

  @Test
  void sizesAreWrittenAsTheyAreRead() {
    assertThat(Sizes.text(0)).isEqualTo("0 B");
    assertThat(Sizes.text(1L << 30)).isEqualTo("1 GB");
    assertThat(Sizes.text(1536)).isEqualTo("1536 B");
    assertThat(Sizes.text(1536L << 20)).isEqualTo("1536 MB");
    assertThat(Sizes.parse(Sizes.text(Long.MAX_VALUE))).isEmpty(); // 19 digits are no size
  }

  @Test
  void durationsAreReadAsPeopleWriteThem() {
    assertThat(Durations.parse("1d2h3m4s5ms"))
        .contains(Duration.ofDays(1).plusHours(2).plusMinutes(3).plusSeconds(4).plusMillis(5));
    assertThat(Durations.parse("15 min")).contains(Duration.ofMinutes(15));
    assertThat(Durations.parse("2 hours 30 minutes")).contains(Duration.ofMinutes(150));
    assertThat(Durations.parse("500 ms")).contains(Duration.ofMillis(500));
    assertThat(Durations.parse("PT1M")).contains(Duration.ofMinutes(1));
    assertThat(List.of("", "10", "soon", "min", "PT", "1 minuet"))
        .allSatisfy(text -> assertThat(Durations.parse(text)).isEmpty());
  }

  @Test
  void durationsAreWrittenAsTheyAreRead() {
    for (String text :
        List.of("0 s", "5 ms", "90 s", "15 min", "121 s", "24 h", "90 min", "60 s")) {
      assertThat(Durations.text(Durations.parse(text).orElseThrow())).isEqualTo(text);
    }
  }

  @Test
  void aNameMistypedIsFound() {
    assertThat(NearestName.of("lode_enter", List.of("load_enter", "load_leave")))
        .contains("load_enter");
    assertThat(NearestName.of("frobnicate", List.of("load_enter", "load_leave"))).isEmpty();
  }
}

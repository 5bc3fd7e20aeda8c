package io.gleaner.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class PolicyFileTest {
  private static final LocalDateTime MONDAY_NOON = LocalDateTime.parse("2026-11-23T12:00");

  @TempDir Path temp;

  private OwnerPolicy read(String yaml) throws IOException {
    return PolicyFile.read(Files.writeString(temp.resolve("policy.yaml"), yaml));
  }

  private static String origin(Rules rules, Setting<?> setting) {
    return rules.lines().stream()
        .filter(line -> line.setting() == setting)
        .findFirst()
        .orElseThrow()
        .origin();
  }

  @Test
  void whatTheFileDoesNotSayIsTheDefault() throws IOException {
    assertThat(read("")).isEqualTo(OwnerPolicy.conservative());
    Rules rules =
        read("input_idle: 5 min\nload_enter: 0.3\nmains_only: false\n").at(MONDAY_NOON).rules();
    assertThat(rules.get(Setting.INPUT_IDLE)).isEqualTo(Duration.ofMinutes(5));
    assertThat(rules.get(Setting.LOAD_ENTER)).isEqualByComparingTo(new BigDecimal("0.3"));
    assertThat(rules.get(Setting.MAINS_ONLY)).isFalse();
    assertThat(rules.get(Setting.GRACE)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void eachValueSaysWhereItCameFrom() throws IOException {
    OwnerPolicy policy =
        read("""
                grace: 2 min
                profile: evening
                profiles:
                  evening:
                    input_idle: 3 min
                  night:
                    grace: 1 min
                """)
            .with(Setting.DEDICATED, false, "--dedicated");
    Rules evening = policy.at(MONDAY_NOON).rules();
    assertThat(origin(evening, Setting.GRACE)).isEqualTo("policy.yaml line 1");
    assertThat(origin(evening, Setting.INPUT_IDLE))
        .isEqualTo("profile evening, policy.yaml line 5");
    assertThat(origin(evening, Setting.LOAD_ENTER)).isEqualTo("default");
    assertThat(origin(evening, Setting.DEDICATED)).isEqualTo("--dedicated");
    Rules night = policy.named("night").rules();
    assertThat(origin(night, Setting.GRACE)).isEqualTo("profile night, policy.yaml line 7");
    assertThat(origin(night, Setting.INPUT_IDLE)).isEqualTo("built-in profile night");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-23T12:00, everyday", // a Monday
    "2026-11-23T17:59, everyday",
    "2026-11-23T18:00, gaming",
    "2026-11-23T21:59, gaming",
    "2026-11-23T22:00, night",
    "2026-11-24T06:59, night",
    "2026-11-24T07:00, everyday",
    "2026-11-29T23:00, night", // from Sunday into Monday
    "2026-11-30T06:00, night",
    "2026-11-28T19:00, everyday" // a Saturday
  })
  void theWeekSaysWhichProfileHolds(LocalDateTime time, String profile) throws IOException {
    OwnerPolicy policy =
        read(
            """
            week:
              - {days: mon-fri, from: "18:00", to: "22:00", profile: gaming}
              - {days: daily, from: 22:00, to: 07:00, profile: night}
            """);
    assertThat(policy.at(time).profile()).isEqualTo(profile);
  }

  @Test
  void programsAreListedInOneLineOrAsAList() throws IOException {
    for (String yaml : new String[] {"pause_for: steam, blender", "pause_for: [steam, blender]"}) {
      assertThat(read(yaml).at(MONDAY_NOON).rules().get(Setting.PAUSE_FOR))
          .containsExactly("steam", "blender");
    }
    assertThat(read("pause_for: none").at(MONDAY_NOON).rules().get(Setting.PAUSE_FOR)).isEmpty();
    assertThatThrownBy(() -> read("pause_for: /usr/bin/steam"))
        .hasMessageContaining("expected names of programs such as steam, blender");
  }

  @Test
  void everyErrorIsListedWithItsLine() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    input_idle: soon
                    mains_only: maybe
                    load: 3
                    lode_leave: 0.3
                    enter_after: 2 s
                    memory_leave: 101 %
                    temperature_leave: 85.5
                    grace: [1 min, 2 min]
                    profiles:
                      Evening: {}
                      late: 3
                    week:
                      - {days: someday, from: "25:00", to: "7", profile: night}
                      - {days: mon, from: "22:00", profile: night}
                    """))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("1. line 1: input_idle is 'soon', expected a duration such as")
        .hasMessageContaining("2. line 2: mains_only is 'maybe', expected true or false")
        .hasMessageContaining("3. line 3: load is unknown; known are work, dedicated")
        .hasMessageContaining("4. line 4: lode_leave is unknown; did you mean load_leave?")
        .hasMessageContaining("5. line 5: enter_after is '2 s', expected a duration")
        .hasMessageContaining("6. line 6: memory_leave is '101 %', expected a share")
        .hasMessageContaining("7. line 7: temperature_leave is '85.5', expected degrees")
        .hasMessageContaining("8. line 8: grace is '1 min, 2 min', expected a duration")
        .hasMessageContaining("9. line 10: 'Evening' is no name for a profile")
        .hasMessageContaining("10. line 11: '3' is a single value or a list, expected settings")
        .hasMessageContaining("11. line 13: days is 'someday'")
        .hasMessageContaining("12. line 13: from is '25:00', expected a time of day")
        .hasMessageContaining("13. line 13: to is '7', expected a time of day")
        .hasMessageContaining("14. line 14: a window has days, from, profile, expected exactly");
  }

  @Test
  void contradictionsAreRefusedWithASentence() {
    assertThatThrownBy(() -> read("load_enter: 0.5\nload_leave: 0.4\n"))
        .hasMessageContaining(
            "load_leave is 0.4 (policy.yaml line 2) and load_enter is 0.5 (policy.yaml line 1);"
                + " expected load_leave to be the higher load");
    assertThatThrownBy(() -> read("memory_leave: 20\n"))
        .hasMessageContaining("memory_enter is 15 % (default) and memory_leave is 20 %");
    assertThatThrownBy(
            () ->
                read(
                    """
                    week:
                      - {days: fri, from: "22:00", to: "07:00", profile: night}
                      - {days: [sat, sun], from: "06:00", to: "09:00", profile: gaming}
                    """))
        .hasMessageContaining(
            "policy.yaml line 2 and policy.yaml line 3 both say what holds on Saturday at 06:00");
    assertThatThrownBy(() -> read("profile: holiday\n"))
        .hasMessageContaining("there is no profile 'holiday'; there are everyday, night");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "input_idle: [1 | this is no YAML",
        "- input_idle | expected lines of the form",
        "grace: 1 min\\ngrace: 2 min | grace stands on line 1 too",
        "grace: &a 1 min\\nenter_after: *a | with an anchor",
        "profiles: {a: {b: {c: {d: {e: {}}}}}} | nested too deeply"
      })
  void brokenYamlIsNamedAsSuch(String yaml, String sentence) {
    assertThatThrownBy(() -> read(yaml.replace("\\n", "\n")))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> PolicyFile.read(temp.resolve("none.yaml")))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("none.yaml is not valid:\n  1. there is no such file");
  }
}

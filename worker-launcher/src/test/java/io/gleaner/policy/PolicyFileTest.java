package io.gleaner.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class PolicyFileTest {
  @TempDir Path temp;

  private OwnerPolicy read(String yaml) throws IOException {
    return PolicyFile.read(Files.writeString(temp.resolve("policy.yaml"), yaml));
  }

  @Test
  void whatTheFileDoesNotSayIsTheDefault() throws IOException {
    assertThat(read("")).isEqualTo(OwnerPolicy.conservative());
    OwnerPolicy policy = read("input_idle: 5 min\nload_enter: 0.3\nmains_only: false\n");
    assertThat(policy.inputIdle()).isEqualTo(Duration.ofMinutes(5));
    assertThat(policy.loadEnter()).isEqualTo(0.3);
    assertThat(policy.mainsOnly()).isFalse();
    assertThat(policy.grace()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void everyErrorIsListedWithItsLine() {
    assertThatThrownBy(() -> read("input_idle: soon\nmains_only: maybe\nload: 3\n"))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("1. line 1: input_idle is 'soon', expected a duration")
        .hasMessageContaining("2. line 2: mains_only is 'maybe', expected true or false")
        .hasMessageContaining("3. line 3: load is unknown; known are");
  }

  @Test
  void contradictionsAreRefusedWithASentence() {
    assertThatThrownBy(() -> read("load_enter: 0.5\nload_leave: 0.4\n"))
        .hasMessageContaining("work must yield at a higher load than it begins");
  }

  @Test
  void brokenYamlIsNamedAsSuch() {
    assertThatThrownBy(() -> read("input_idle: [1\n")).isInstanceOf(LauncherException.class);
  }
}

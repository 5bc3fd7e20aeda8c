package io.gleaner.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The document of the policy lists every setting as the schema has it, and its example is valid.
 */
@Timeout(30)
class PolicyDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "policy.md");

  @TempDir Path temp;

  @Test
  void theTableIsTheSchema() throws IOException {
    List<String> table =
        Rules.standard().lines().stream()
            .map(
                line ->
                    "| `%s` | %s | %s | %s |"
                        .formatted(
                            line.setting().key(),
                            line.value(),
                            line.setting().expected(),
                            line.setting().meaning()))
            .toList();
    assertThat(Files.readAllLines(DOCUMENT).stream().filter(row -> row.startsWith("| `")))
        .containsExactlyElementsOf(table);
  }

  @Test
  void theExampleIsAPolicy() throws IOException {
    String document = Files.readString(DOCUMENT);
    String example = document.substring(document.indexOf("```yaml\n") + 8);
    Path file = temp.resolve("policy.yaml");
    Files.writeString(file, example.substring(0, example.indexOf("```")));
    OwnerPolicy policy = PolicyFile.read(file);
    assertThat(policy.week().windows()).hasSize(2);
    assertThat(policy.profiles()).containsKeys("evening", "night");
  }
}

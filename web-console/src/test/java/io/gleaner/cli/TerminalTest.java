package io.gleaner.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TerminalTest {

  @Test
  void whatDevicesWroteMovesNoCursorAndBeginsNoLine() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    Terminal.table(
        out,
        List.of(
            List.of("LAUNCHER", "WHY"),
            List.of("d1", "\u001b[2J\rowner\n\u202eback \u00e4"),
            List.of("d2", "idle")));
    out.flush();
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("LAUNCHER  WHY", "d1        ?[2J?owner??back \u00e4", "d2        idle");
  }

  @Test
  void reasonsOfFailedTasksArePlain() {
    assertThat(
            new BagResults(
                    List.of(),
                    List.of(
                        JsonMapper.shared()
                            .readTree("{\"taskIndex\":3,\"reason\":\"\\u001b[31mred\\r\"}")))
                .failures())
        .containsExactly("task 3: ?[31mred?");
  }
}

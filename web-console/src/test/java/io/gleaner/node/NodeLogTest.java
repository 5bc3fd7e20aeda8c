package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(60)
class NodeLogTest {

  @Test
  void whatStrangersWriteStaysOneLineOfVisibleText(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("node.log");
    try (NodeLog log = NodeLog.into(file)) {
      assertThat(log).isNotNull();
      LoggerFactory.getLogger(NodeLogTest.class)
          .warn(
              "told: {}",
              "\u001b[2Ja\r\nb\u202ec\u2028d\u009be\tf {}",
              new IOException("thrown \u001b[2J\u202e"));
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).anyMatch(line -> line.endsWith("told: ?[2Ja??b?c?d?e\tf {}"));
    assertThat(lines).contains("java.io.IOException: thrown ?[2J?");
    assertThat(lines)
        .filteredOn(line -> line.startsWith("\tat io.gleaner.node.NodeLogTest"))
        .as("the trace once, in its lines")
        .hasSize(1);
  }
}

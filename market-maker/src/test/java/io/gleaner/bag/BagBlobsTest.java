package io.gleaner.bag;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.signing.Digests;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BagBlobsTest {
  private static final String RESULT = Digests.sha256Hex("result");
  private static final String OTHER = Digests.sha256Hex("other");

  @Test
  void filesAndResultsOfABagBelongToItsOwner(@TempDir Path folder) throws Exception {
    try (BagNode node = BagNode.start(folder)) {
      node.ledger().grant("ada", 100_000_000, "first");
      node.ledger().grant("bob", 100_000_000, "second");
      String jobId = node.submits("ada", 2, "budget: 5", "k").jobId();
      node.submits("bob", 1, "budget: 5", "k");
      node.bags().ended(jobId, ended(0));

      assertThat(node.usedBlobs().among(Set.of(RESULT, OTHER, node.bundle())))
          .isEqualTo(Map.of(RESULT, Set.of("ada"), node.bundle(), Set.of("ada", "bob")));
      assertThat(node.usedBlobs().among(Set.of(OTHER))).isEmpty();
    }
  }

  private static TaskOutcome ended(int index) {
    return new TaskOutcome(
        index,
        Map.of(),
        "COMPLETED",
        "launcher",
        Optional.of(RESULT),
        6,
        1_000_000,
        0,
        1000,
        "",
        "log",
        Instant.EPOCH);
  }
}

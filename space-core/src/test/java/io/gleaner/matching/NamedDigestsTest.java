package io.gleaner.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.signing.Digests;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.TaskEntry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NamedDigestsTest {
  private static final String FIRST = Digests.sha256Hex("first");
  private static final String SECOND = Digests.sha256Hex("second");

  @Test
  void digestsInTextsAndMapsAreFound() throws Exception {
    JobEntry job = new JobEntry();
    job.jobId = "b-1";
    job.bundleDigest = FIRST;
    assertThat(NamedDigests.of(EntryCodec.encode(job))).contains(FIRST);

    TaskEntry task = new TaskEntry();
    task.parameters = Map.of("x", "1");
    task.inputs = Map.of("a", FIRST, "b", SECOND);
    assertThat(NamedDigests.of(EntryCodec.encode(task))).contains(FIRST, SECOND);
  }

  @Test
  void theyAreFoundWhereverTheyStand() {
    Random random = new Random(7);
    for (int before = 0; before < 300; before++) {
      byte[] field = new byte[before + 64 + random.nextInt(300)];
      java.util.Arrays.fill(field, (byte) '.');
      byte[] digest = FIRST.getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(digest, 0, field, before, 64);
      assertThat(NamedDigests.of(entry(field))).as("after %s", before).containsExactly(FIRST);
    }
  }

  @Test
  void afterOneThereMayBeAnother() {
    for (int gap = 1; gap < 130; gap++) {
      String text = FIRST + ".".repeat(gap) + "ab" + ".".repeat(gap) + SECOND;
      assertThat(NamedDigests.of(entry(text.getBytes(StandardCharsets.US_ASCII))))
          .as("gap %s", gap)
          .containsExactlyInAnyOrder(FIRST, SECOND);
    }
  }

  @Test
  void whatIsShorterOrMuchLongerIsNone() {
    for (int length : List.of(0, 1, 63, 73, 128, 1000)) {
      byte[] field = "a".repeat(length).getBytes(StandardCharsets.US_ASCII);
      assertThat(NamedDigests.of(entry(field))).as("length %s", length).isEmpty();
    }
    assertThat(NamedDigests.of(entry(null))).isEmpty();
  }

  private static EncodedEntry entry(byte[] field) {
    EntryType type = new EntryType("Text", List.of(), List.of("text"), -1);
    return new EncodedEntry(type, new byte[][] {field});
  }
}

package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.blob.BlobUse;
import io.gleaner.signing.Digests;
import io.gleaner.tuple.TaskEntry;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BlobUseTest {
  private static final String WRITTEN = Digests.sha256Hex("written");
  private static final String TAKEN = Digests.sha256Hex("taken");
  private static final String UNDER_WAY = Digests.sha256Hex("under way");
  private static final String NAMED_BY_NOBODY = Digests.sha256Hex("nobody");
  private static final Set<String> ALL = Set.of(WRITTEN, TAKEN, UNDER_WAY, NAMED_BY_NOBODY);

  @Test
  void entriesThatAreHiddenUseTheirBlobsToo() throws Exception {
    HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults());
    BlobUse use = engine.blobs();
    try (TupleSpace space = SpaceClient.open(engine, "market", "test")) {
      assertThat(use.among(ALL)).isEmpty();
      space.write(task(0, WRITTEN), null, Lease.FOREVER);
      space.write(task(1, TAKEN), null, Lease.FOREVER);
      var transaction = space.begin(java.time.Duration.ofMinutes(5)).transaction;
      assertThat(space.take(task(1, TAKEN), transaction, 0)).isNotNull();
      space.write(task(2, UNDER_WAY), transaction, Lease.FOREVER);
      assertThat(use.among(ALL))
          .isEqualTo(Map.of(WRITTEN, Set.of(), TAKEN, Set.of(), UNDER_WAY, Set.of()));

      transaction.commit();
      assertThat(use.among(ALL)).isEqualTo(Map.of(WRITTEN, Set.of(), UNDER_WAY, Set.of()));
    } finally {
      engine.close();
    }
    assertThatThrownBy(() -> use.among(ALL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot tell");
  }

  private static TaskEntry task(int index, String input) {
    TaskEntry task = TaskEntry.ofJob("b-1");
    task.taskIndex = index;
    task.shard = TaskEntry.shardOf("b-1", index);
    task.inputs = Map.of("data", input);
    return task;
  }
}

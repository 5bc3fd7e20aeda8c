package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.blob.BlobQuotaExceeded;
import io.gleaner.blob.BlobSettings;
import io.gleaner.blob.KeptBlobs;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.gleaner.tuple.CheckpointEntry;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import net.jini.core.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may see which blob through the gateway. */
@Timeout(120)
class BlobRightsTest {
  private static final int QUOTA = 1_000_000;
  private static final int ENTRIES = 30;

  @TempDir Path folder;
  private Database database;
  private KeptBlobs blobs;
  private HazelcastSpace engine;
  private TestGateway gateway;
  private GatewayConnection ada;
  private GatewayConnection bob;

  @BeforeEach
  void aNodeWithTwoUsers() throws Exception {
    database = Database.open(StorageSettings.in(folder.resolve("database")));
    blobs = open();
    engine = HazelcastSpace.start(SpaceSettings.defaults());
    gateway = TestGateway.startUsual(engine, blobs);
    ada = gateway.patientClientOf("ada");
    bob = gateway.patientLauncherOf("bob");
  }

  private KeptBlobs open() throws IOException {
    return KeptBlobs.open(
        database,
        folder.resolve("blobs"),
        new BlobSettings(QUOTA, QUOTA, Duration.ofHours(1)),
        InstantSource.system());
  }

  @AfterEach
  void closes() throws Exception {
    ada.close();
    bob.close();
    gateway.close();
    engine.close();
    blobs.close();
    database.close();
  }

  @Test
  @Tag("S3")
  void aBlobIsReadByThoseWhoWereHandedAnEntryThatNamesIt() throws Exception {
    String digest = ada.blobs().put(new byte[400_000]);
    assertThat(ada.blobs().contains(digest)).isTrue();
    assertThat(bob.blobs().contains(digest)).isFalse();
    assertThatThrownBy(() -> bob.blobs().open(digest)).isInstanceOf(FileNotFoundException.class);

    CheckpointEntry checkpoint = CheckpointEntry.ofJob("b-1");
    checkpoint.digest = digest;
    ContractEntry contract = ContractEntry.ofLauncher("laptop");
    contract.jobId = "b-1";
    try (TupleSpace market = SpaceClient.open(engine, "market", "market");
        TupleSpace his = bob.space("market")) {
      market.write(checkpoint, null, 60_000);
      market.write(contract, null, 60_000);
      assertThat(bob.blobs().contains(digest)).isFalse();
      assertThat(his.read(CheckpointEntry.ofJob("b-1"), null, 0)).isNotNull();
      assertThat(bob.blobs().contains(digest)).isTrue();
      assertThat(bob.blobs().read(digest)).hasSize(400_000);
    }
  }

  @Test
  @Tag("S3")
  void whoOnlyKnowsADigestReadsNothingByWritingIt() throws Exception {
    String digest = ada.blobs().put(new byte[400_000]);
    CheckpointEntry named = CheckpointEntry.ofJob("b-1");
    named.digest = digest;
    named.launcherId = "laptop";
    ContractEntry contract = ContractEntry.ofLauncher("laptop");
    contract.jobId = "b-1";
    TaskEntry task = TaskEntry.ofJob("b-1");
    task.shard = TaskEntry.shardOf("b-1", 0);
    task.taskIndex = 0;
    task.replica = 0;
    task.attempt = 1;
    task.parameters = Map.of("digest", digest);
    ResultEntry result = ResultEntry.ofJob("b-1");
    result.taskIndex = 0;
    result.replica = 0;
    result.attempt = 1;
    result.launcherId = "laptop";
    result.outputDigest = digest;
    try (TupleSpace market = SpaceClient.open(engine, "market", "market");
        GatewayConnection program = gateway.patientClientOf("bob");
        TupleSpace own = program.space("bob/own");
        TupleSpace his = bob.space("market")) {
      own.write(named, null, 60_000);
      assertThat(own.read(CheckpointEntry.ofJob("b-1"), null, 0)).isNotNull();
      assertThat(own.take(CheckpointEntry.ofJob("b-1"), null, 0)).isNotNull();
      market.write(contract, null, 60_000);
      market.write(task, null, 60_000);
      Transaction begun = his.begin(Duration.ofMinutes(1)).transaction;
      assertThat(his.take(TaskEntry.ofJob("b-1"), begun, 0)).isNotNull();

      assertThatThrownBy(() -> his.write(named, null, 60_000))
          .isInstanceOf(SecurityException.class)
          .hasMessageContaining("a blob that its user has not uploaded");
      assertThatThrownBy(() -> his.write(result, begun, 60_000))
          .isInstanceOf(SecurityException.class)
          .hasMessageContaining("a blob that its user has not uploaded");
      assertThat(program.blobs().contains(digest)).isFalse();
      assertThat(bob.blobs().contains(digest)).isFalse();
      assertThatThrownBy(() -> bob.blobs().open(digest)).isInstanceOf(FileNotFoundException.class);

      String uploaded = bob.blobs().put(new byte[400_000]);
      assertThat(uploaded).isEqualTo(digest);
      his.write(result, begun, 60_000);
      begun.commit();
    }
  }

  @Test
  void whoWasHandedAnEntryMayReadItsBlobAtEveryNode() throws Exception {
    KeptBlobs elsewhere = open();
    ContractEntry contract = ContractEntry.ofLauncher("laptop");
    contract.jobId = "b-1";
    try (TupleSpace market = SpaceClient.open(engine, "market", "market");
        TupleSpace his = bob.space("market")) {
      market.write(contract, null, 3_600_000);
      for (int i = 0; i < ENTRIES; i++) {
        CheckpointEntry checkpoint = CheckpointEntry.ofJob("b-1");
        checkpoint.digest = ada.blobs().put(new byte[] {(byte) i});
        market.write(checkpoint, null, 3_600_000);
        assertThat(elsewhere.of("bob").contains(checkpoint.digest)).isFalse();
        assertThat(his.read(CheckpointEntry.ofJob("b-1"), null, 0)).isNotNull();
        assertThat(elsewhere.of("bob").contains(checkpoint.digest)).isTrue();
        market.take(CheckpointEntry.ofJob("b-1"), null, 0);
      }
    } finally {
      elsewhere.close();
    }
  }

  @Test
  void aUserBeyondTheirQuotaIsToldSo() throws Exception {
    ada.blobs().put(new byte[700_000]);
    assertThatThrownBy(() -> ada.blobs().put(new byte[700_001]))
        .isInstanceOf(BlobQuotaExceeded.class)
        .hasMessageContaining("quota of 1000000 bytes");
    assertThat(bob.blobs().put(new byte[700_001])).hasSize(64);
  }
}

package io.gleaner.puller;

import static org.awaitility.Awaitility.await;

import io.gleaner.blob.BlobStore;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.policy.OwnerPolicy;
import io.gleaner.sandbox.Bundles;
import io.gleaner.signing.BundleManifest;
import io.gleaner.signing.SignedManifest;
import io.gleaner.signing.SignerKey;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.SignerEntry;
import io.gleaner.tuple.TaskEntry;
import io.gleaner.tuple.TaskKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.space.MatchSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a launcher that have a new market each, with one bag for it. */
abstract class WithMarket {
  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  static final String JOB = "job-1";
  static final String CONTRACT = "contract-1";

  @TempDir Path temp;
  TestSpace node;
  TupleSpace space;
  BlobStore blobs;
  String bundle;
  long bundleBytes;
  SignerKey signer;

  /** What the job carries in place of the manifest that its submitter signed. */
  byte[] manifest;

  @BeforeEach
  final void aMarketIsThere() throws Exception {
    node = TestSpace.open();
    space = node.space();
    blobs = new FileBlobStore(temp.resolve("blobs"), 1L << 24);
    Path jar = Bundles.writeTo(temp);
    bundleBytes = Files.size(jar);
    bundle = blobs.put(() -> Files.newInputStream(jar));
    signer = SignerKey.create(temp.resolve("signer"));
    poolSays(signer.signer().hex(), false);
  }

  @AfterEach
  final void theMarketCloses() {
    node.close();
  }

  LauncherSettings settings() {
    return LauncherSettings.of("alice", temp.resolve("alice"))
        .withSlots(1, 64)
        .withSpeed(1_000_000)
        .withPolicy(OwnerPolicy.conservative().asDedicated());
  }

  Launcher joins() {
    return Launcher.start(settings(), space, blobs, "alice");
  }

  SignedManifest signs(SignerKey key, long version, Class<?> program) {
    return key.sign(
        new BundleManifest(
            "programs",
            version,
            BundleManifest.Kind.JAVA,
            program.getName(),
            new BundleManifest.Needs(0, 0, 1),
            List.of(new BundleManifest.Part(BundleManifest.PROGRAM, bundleBytes, bundle))));
  }

  void poolSays(String subject, boolean revoked) throws Exception {
    space.write(SignerEntry.of(subject, revoked), null, Lease.FOREVER);
  }

  void bag(Class<?> program, int tasks, Map<String, String> parameters) throws Exception {
    JobEntry job = JobEntry.ofJob(JOB);
    job.owner = "sue";
    job.state = JobState.OPEN;
    job.kind = TaskKind.JAVA;
    job.bundleDigest = bundle;
    job.entryPoint = program.getName();
    job.manifest = manifest == null ? signs(signer, 1, program).encode() : manifest;
    job.tasks = tasks;
    job.memoryMegabytes = 48;
    job.outputLimitBytes = 1L << 20;
    space.write(job, null, Lease.FOREVER);
    for (int i = 0; i < tasks; i++) {
      TaskEntry task = TaskEntry.ofJob(JOB);
      task.shard = TaskEntry.shardOf(JOB, i);
      task.taskIndex = i;
      task.replica = 0;
      task.attempt = 1;
      task.faults = 0;
      task.parameters = parameters;
      space.write(task, null, Lease.FOREVER);
    }
    ContractEntry contract = ContractEntry.ofLauncher("alice");
    contract.contractId = CONTRACT;
    contract.jobId = JOB;
    contract.slots = 1;
    contract.microsPerUnit = 1000L;
    space.write(contract, null, Lease.FOREVER);
  }

  <E extends Entry> List<E> all(Class<E> type, E template) throws Exception {
    List<E> found = new ArrayList<>();
    MatchSet set = space.contents(List.of(template), null, Lease.ANY, 10_000);
    for (Entry entry = set.next(); entry != null; entry = set.next()) {
      found.add(type.cast(entry));
    }
    return found;
  }

  List<ResultEntry> results() throws Exception {
    return all(ResultEntry.class, ResultEntry.ofJob(JOB));
  }

  List<TaskEntry> waiting() throws Exception {
    return all(TaskEntry.class, TaskEntry.ofJob(JOB));
  }

  static void runs(Launcher launcher) {
    await().until(() -> !launcher.status().running().isEmpty());
  }
}

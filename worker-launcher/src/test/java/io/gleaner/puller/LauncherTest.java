package io.gleaner.puller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.blob.BlobStore;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.idle.PowerSource;
import io.gleaner.idle.Reading;
import io.gleaner.idle.Sensors;
import io.gleaner.leasing.Ticker;
import io.gleaner.policy.LauncherException;
import io.gleaner.policy.LauncherState;
import io.gleaner.policy.OwnerPolicy;
import io.gleaner.sandbox.Bundles;
import io.gleaner.sandbox.programs.Programs;
import io.gleaner.signing.BundleManifest;
import io.gleaner.signing.SignedManifest;
import io.gleaner.signing.SignerKey;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.AttemptEntry;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.SignerEntry;
import io.gleaner.tuple.StatusEntry;
import io.gleaner.tuple.TaskEntry;
import io.gleaner.tuple.TaskKind;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.MatchSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Timeout(150)
class LauncherTest {
  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  private static final Logger LOG = LoggerFactory.getLogger(LauncherTest.class);
  private static final String JOB = "job-1";
  private static final String CONTRACT = "contract-1";

  @TempDir Path temp;
  private TestSpace node;
  private TupleSpace space;
  private BlobStore blobs;
  private String bundle;
  private long bundleBytes;
  private SignerKey signer;

  /** What the job carries in place of the manifest that its submitter signed. */
  private byte[] manifest;

  @BeforeEach
  void aMarketIsThere() throws Exception {
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
  void theMarketCloses() {
    node.close();
  }

  private LauncherSettings settings() {
    return LauncherSettings.of("alice", temp.resolve("alice"))
        .withSlots(1, 64)
        .withSpeed(1_000_000)
        .withPolicy(OwnerPolicy.conservative().asDedicated());
  }

  private Launcher joins() {
    return Launcher.start(settings(), space, blobs, "alice");
  }

  private SignedManifest signs(SignerKey key, long version, Class<?> program) {
    return key.sign(
        new BundleManifest(
            "programs",
            version,
            BundleManifest.Kind.JAVA,
            program.getName(),
            new BundleManifest.Needs(0, 0, 1),
            List.of(new BundleManifest.Part(BundleManifest.PROGRAM, bundleBytes, bundle))));
  }

  private void poolSays(String subject, boolean revoked) throws Exception {
    space.write(SignerEntry.of(subject, revoked), null, Lease.FOREVER);
  }

  private void bag(Class<?> program, int tasks, Map<String, String> parameters) throws Exception {
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

  private <E extends Entry> List<E> all(Class<E> type, E template) throws Exception {
    List<E> found = new ArrayList<>();
    MatchSet set = space.contents(List.of(template), null, Lease.ANY, 10_000);
    for (Entry entry = set.next(); entry != null; entry = set.next()) {
      found.add(type.cast(entry));
    }
    return found;
  }

  private List<ResultEntry> results() throws Exception {
    return all(ResultEntry.class, ResultEntry.ofJob(JOB));
  }

  private List<TaskEntry> waiting() throws Exception {
    return all(TaskEntry.class, TaskEntry.ofJob(JOB));
  }

  private static void runs(Launcher launcher) {
    await().until(() -> !launcher.status().running().isEmpty());
  }

  @Test
  void everyTaskOfABagIsRunOnceAndItsResultCommitted() throws Exception {
    bag(Programs.Echo.class, 60, Map.of("word", "tile"));
    try (Launcher launcher = joins()) {
      await().until(() -> results().size() == 60);
      assertThat(waiting()).isEmpty();
      assertThat(results())
          .allSatisfy(
              result -> {
                assertThat(result.outcome).isEqualTo(Outcome.COMPLETED);
                assertThat(new String(result.output, StandardCharsets.UTF_8))
                    .isEqualTo("tile" + result.taskIndex);
                assertThat(result.launcherId).isEqualTo("alice");
                assertThat(result.contractId).isEqualTo(CONTRACT);
                assertThat(result.meteredMicroUnits).isNotNegative();
              })
          .extracting(result -> result.taskIndex)
          .doesNotHaveDuplicates();
      OfferEntry offer = (OfferEntry) space.readIfExists(OfferEntry.ofLauncher("alice"), null, 0);
      assertThat(offer.slots).isEqualTo(1);
      assertThat(offer.kinds).containsExactly("JAVA");
      await().until(() -> launcher.status().completed() == 60);
      await()
          .untilAsserted(
              () ->
                  assertThat(all(StatusEntry.class, StatusEntry.ofLauncher("alice")))
                      .singleElement()
                      .satisfies(status -> assertThat(status.completed).isEqualTo(60)));
      await().until(() -> all(AttemptEntry.class, AttemptEntry.ofJob(JOB)).isEmpty());
    }
    assertThat(space.readIfExists(OfferEntry.ofLauncher("alice"), null, 0)).isNull();
    assertThat(temp.resolve("alice").resolve("children")).isEmptyDirectory();
  }

  @Test
  void aLargeResultLiesInTheBlobStore() throws Exception {
    bag(Programs.Verbose.class, 1, Map.of("bytes", "100000"));
    try (Launcher launcher = joins()) {
      await().until(() -> results().size() == 1);
      ResultEntry result = results().get(0);
      assertThat(result.output).isNull();
      assertThat(blobs.read(result.outputDigest)).hasSize(100_000);
      assertThat(launcher.status().failed()).isZero();
    }
  }

  @Test
  void aFailedTaskSaysWhyAndWhatItPrintedLast() throws Exception {
    bag(Programs.Thrower.class, 1, Map.of("word", "seven"));
    try (Launcher launcher = joins()) {
      await().until(() -> results().size() == 1);
      ResultEntry result = results().get(0);
      assertThat(result.outcome).isEqualTo(Outcome.FAILED);
      assertThat(result.reason)
          .isEqualTo("THREW: java.lang.IllegalStateException: no luck with seven");
      assertThat(result.logTail).contains("about to fail");
      assertThat(result.faults).isZero();
      await().until(() -> launcher.status().failed() == 1);
    }
  }

  @Test
  void aBagCancelledWhileItsTaskRunsTakesNoResult() throws Exception {
    bag(Programs.Sleepy.class, 1, Map.of("millis", "1500"));
    try (Launcher launcher = joins()) {
      runs(launcher);
      assertThat(space.takeIfExists(JobEntry.ofJob(JOB), null, 0)).isNotNull();
      await().until(() -> launcher.status().refused() == 1);
      assertThat(results()).isEmpty();
    }
  }

  @Test
  void aContractThatEndsLetsTheRunningTaskFinishAndNoOtherBegin() throws Exception {
    bag(Programs.Sleepy.class, 3, Map.of("millis", "4000"));
    try (Launcher launcher = joins()) {
      runs(launcher);
      assertThat(space.takeIfExists(ContractEntry.ofLauncher("alice"), null, 0)).isNotNull();
      await().until(() -> results().size() == 1);
      await()
          .during(Duration.ofMillis(800))
          .until(() -> waiting().size() == 2 && launcher.status().running().isEmpty());
    }
  }

  @Test
  void anOwnerWhoSaysPauseHasTheMachineAndTheMarketItsTask() throws Exception {
    bag(Programs.Spin.class, 1, Map.of());
    try (Launcher launcher = joins()) {
      runs(launcher);
      launcher.pause();
      await().until(() -> waiting().size() == 1);
      assertThat(launcher.explain()).startsWith("paused by the owner");
      launcher.resume();
      runs(launcher);
    }
    assertThat(waiting()).hasSize(1);
  }

  @Test
  void aLauncherFrozenPastItsLeaseHasLostTheTaskAndItsLateResultIsRefused() throws Exception {
    bag(Programs.Sleepy.class, 1, Map.of("millis", "13000"));
    try (Launcher launcher = Launcher.start(settings(), frozen(space), blobs, "alice")) {
      runs(launcher);
      assertThat(waiting()).isEmpty();
      // Without a contract it does not take the task again.
      assertThat(space.takeIfExists(ContractEntry.ofLauncher("alice"), null, 0)).isNotNull();
      await().until(() -> waiting().size() == 1);
      await().until(() -> launcher.status().refused() == 1);
      assertThat(results()).isEmpty();
      assertThat(waiting()).hasSize(1);
    }
  }

  /** The space as somebody sees it whose heartbeats do not arrive. */
  private static TupleSpace frozen(TupleSpace real) {
    return proxy(
        TupleSpace.class,
        real,
        (name, result) ->
            result instanceof Transaction.Created created
                ? new Transaction.Created(
                    created.transaction,
                    (Lease)
                        Proxy.newProxyInstance(
                            Lease.class.getClassLoader(),
                            new Class<?>[] {Lease.class},
                            (self, method, arguments) -> null))
                : result);
  }

  /** Changes what a call returned. */
  private interface Change {
    Object of(String method, Object result);
  }

  private static <T> T proxy(Class<T> type, T real, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return change.of(method.getName(), method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Test
  void theOwnersReturnStopsTheWorkAndLeavingLetsItGoOn() throws Exception {
    bag(Programs.Spin.class, 1, Map.of());
    AtomicReference<Duration> idle = new AtomicReference<>(Duration.ofHours(1));
    OwnerPolicy policy =
        new OwnerPolicy(
            false,
            Duration.ofMinutes(15),
            0.2,
            0.4,
            OwnerPolicy.SHORTEST_ENTER,
            Duration.ZERO,
            true,
            Duration.ofSeconds(20));
    Sensors sensors =
        new Sensors(
            () -> Reading.known(idle.get()),
            () -> Reading.known(0.0),
            () -> Reading.known(PowerSource.MAINS),
            Ticker.system());
    try (Launcher launcher =
        Launcher.start(settings().withPolicy(policy), space, blobs, "alice", sensors)) {
      await().until(() -> launcher.state() == LauncherState.RUNNING);
      await().until(() -> childState().equals("R") || childState().equals("S"));
      long returned = System.nanoTime();
      idle.set(Duration.ZERO);
      await().pollInterval(Duration.ofMillis(5)).until(() -> childState().equals("T"));
      LOG.info("work stopped {} ms after the return", (System.nanoTime() - returned) / 1_000_000);
      await().until(() -> launcher.state() == LauncherState.SUSPENDED);
      assertThat(launcher.explain()).startsWith("suspended: somebody used the machine 0 s ago");
      idle.set(Duration.ofHours(1));
      await().until(() -> !childState().equals("T"));
      await().until(() -> launcher.state() == LauncherState.RUNNING);
      assertThat(waiting()).isEmpty();
    }
    assertThat(waiting()).hasSize(1);
  }

  /** The kernel's letter for the state of the one child of this launcher, or nothing. */
  private String childState() {
    String mark = temp.resolve("alice").toAbsolutePath().toString();
    return ProcessHandle.current()
        .descendants()
        .filter(child -> child.info().commandLine().orElse("").contains(mark))
        .findFirst()
        .map(child -> state(child.pid()))
        .orElse("");
  }

  private static String state(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
    } catch (IOException gone) {
      return "";
    }
  }

  @Test
  void anEndingLauncherGivesEverythingBack() throws Exception {
    bag(Programs.Spin.class, 2, Map.of());
    Launcher launcher = joins();
    runs(launcher);
    long began = System.nanoTime();
    launcher.close();
    LOG.info("the launcher ended in {} ms", (System.nanoTime() - began) / 1_000_000);
    await().until(() -> waiting().size() == 2);
    await().until(() -> childState().isEmpty());
    await().until(() -> space.readIfExists(OfferEntry.ofLauncher("alice"), null, 0) == null);
  }

  @Test
  void aSecondLauncherInTheSameFolderIsRefused() {
    try (Launcher launcher = joins()) {
      assertThat(launcher.status().launcher()).isEqualTo("alice");
      assertThatThrownBy(this::joins)
          .isInstanceOf(LauncherException.class)
          .hasMessageContaining("another launcher uses the folder");
    }
  }

  /** What a launcher that trusts nobody with this bag leaves alone: its tasks. */
  private void doesNotRun() throws Exception {
    try (Launcher launcher = joins()) {
      await()
          .during(Duration.ofMillis(1500))
          .until(() -> waiting().size() == 1 && launcher.status().running().isEmpty());
    }
    assertThat(results()).isEmpty();
  }

  @Test
  @Tag("S1")
  void aProgramThatNobodySignedDoesNotRun() throws Exception {
    manifest = new byte[0];
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  @Tag("S1")
  void aProgramOtherThanTheSignedOneDoesNotRun() throws Exception {
    manifest = signs(signer, 1, Programs.Sleepy.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  @Tag("S1")
  void aManifestThatWasChangedIsNoManifest() throws Exception {
    manifest = signs(signer, 1, Programs.Echo.class).encode();
    manifest[manifest.length - 2] ^= 1;
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  @Tag("S1")
  void aSignerForWhomNobodyVouchesIsNotTrusted() throws Exception {
    SignerKey stranger = SignerKey.create(temp.resolve("stranger"));
    manifest = signs(stranger, 1, Programs.Echo.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  @Tag("S1")
  void anOlderVersionThanTheMachineHasRunIsRefused() throws Exception {
    manifest = signs(signer, 2, Programs.Echo.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    try (Launcher launcher = joins()) {
      await().until(() -> results().size() == 1 && launcher.status().running().isEmpty());
    }
    assertThat(space.takeIfExists(JobEntry.ofJob(JOB), null, 0)).isNotNull();
    assertThat(space.takeIfExists(ContractEntry.ofLauncher("alice"), null, 0)).isNotNull();
    assertThat(space.takeIfExists(ResultEntry.ofJob(JOB), null, 0)).isNotNull();
    manifest = signs(signer, 1, Programs.Echo.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    doesNotRun();
  }

  @Test
  @Tag("S1")
  void aSignerRevokedWhileATaskRunsStopsIt() throws Exception {
    bag(Programs.Spin.class, 1, Map.of());
    try (Launcher launcher = joins()) {
      runs(launcher);
      poolSays(signer.signer().hex(), true);
      await().until(() -> waiting().size() == 1 && launcher.status().running().isEmpty());
    }
    assertThat(results()).isEmpty();
  }

  @Test
  @Tag("S1")
  void anOwnerWhoNamesSignersRunsTheirProgramsAndNoOthers() throws Exception {
    SignerKey friend = SignerKey.create(temp.resolve("friend"));
    LauncherSettings choosy = settings().withSigners(Set.of(friend.signer()));
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    try (Launcher launcher = Launcher.start(choosy, space, blobs, "alice")) {
      await()
          .during(Duration.ofMillis(1500))
          .until(() -> waiting().size() == 1 && launcher.status().running().isEmpty());
      OfferEntry offer = (OfferEntry) space.readIfExists(OfferEntry.ofLauncher("alice"), null, 0);
      assertThat(offer.signers).containsExactly(friend.signer().hex());
    }
    assertThat(space.takeIfExists(JobEntry.ofJob(JOB), null, 0)).isNotNull();
    assertThat(space.takeIfExists(ContractEntry.ofLauncher("alice"), null, 0)).isNotNull();
    manifest = signs(friend, 1, Programs.Echo.class).encode();
    bag(Programs.Echo.class, 1, Map.of("word", "tile"));
    try (Launcher launcher = Launcher.start(choosy, space, blobs, "alice")) {
      await().until(() -> launcher.status().completed() >= 1);
    }
  }
}

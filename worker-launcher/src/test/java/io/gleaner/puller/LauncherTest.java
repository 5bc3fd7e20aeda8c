package io.gleaner.puller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.idle.FreeMachine;
import io.gleaner.idle.Reading;
import io.gleaner.idle.Sensors;
import io.gleaner.leasing.Ticker;
import io.gleaner.policy.LauncherException;
import io.gleaner.policy.LauncherState;
import io.gleaner.policy.OwnerPolicy;
import io.gleaner.policy.Setting;
import io.gleaner.sandbox.programs.Programs;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.AttemptEntry;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.StatusEntry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Timeout(150)
class LauncherTest extends WithMarket {
  private static final Logger LOG = LoggerFactory.getLogger(LauncherTest.class);

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
        OwnerPolicy.conservative()
            .with(Setting.ENTER_AFTER, Duration.ofSeconds(5), "test")
            .with(Setting.ENTRIES_PER_MINUTE, 12, "test")
            .with(Setting.GRACE, Duration.ofSeconds(20), "test");
    Sensors sensors =
        new Sensors(FreeMachine.touched(() -> Reading.known(idle.get())), Ticker.system());
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
}

package io.gleaner.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.leasing.Ticker;
import io.gleaner.sandbox.TaskEnd.Completed;
import io.gleaner.sandbox.TaskEnd.Failed;
import io.gleaner.sandbox.TaskEnd.Fault;
import io.gleaner.sandbox.programs.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(150)
class ChildTest {
  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  private static final TaskLimits LIMITS = TaskLimits.standard();

  @TempDir Path temp;
  private Path jar;
  private JavaSandbox sandbox;

  @BeforeEach
  void bundleIsPacked() throws IOException {
    jar = Bundles.writeTo(temp);
    sandbox = new JavaSandbox(temp.resolve("children"), new Spawner(), Ticker.system());
  }

  private Child child(Class<?> program, TaskLimits limits) throws IOException {
    return sandbox.start(Bundles.program(jar, program), limits);
  }

  private TaskEnd runs(Class<?> program, TaskLimits limits, Map<String, String> parameters)
      throws IOException {
    try (Child child = child(program, limits)) {
      TaskEnd end = child.run(TaskCall.of(7, parameters), TaskEvents.NONE);
      await().until(() -> child.usable() || !alive(child.pid()));
      return end;
    }
  }

  private static boolean alive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static String text(TaskEnd end) {
    assertThat(end).isInstanceOf(Completed.class);
    return new String(((Completed) end).output(), StandardCharsets.UTF_8);
  }

  @Test
  void aChildRunsTheTasksOfItsBagOneAfterTheOther() throws IOException {
    List<Double> progress = new ArrayList<>();
    TaskEvents events =
        new TaskEvents() {
          @Override
          public void progressed(double fraction) {
            progress.add(fraction);
          }

          @Override
          public void checkpointed(byte[] state) {}
        };
    try (Child child = child(Programs.Echo.class, LIMITS)) {
      for (int i = 0; i < 20; i++) {
        TaskEnd end = child.run(TaskCall.of(i, Map.of("word", "tile")), events);
        assertThat(text(end)).isEqualTo("tile" + i);
        assertThat(((Completed) end).logTail()).isEqualTo("echo " + i + "\n");
        assertThat(end.cpuMicros()).isPositive();
      }
      assertThat(progress).hasSize(20).containsOnly(0.5);
      assertThat(child.usable()).isTrue();
    }
    assertThat(temp.resolve("children")).isEmptyDirectory();
  }

  @Test
  void aTaskThatThrowsFailsWithItsReasonAndLeavesTheChildUsable() throws IOException {
    try (Child child = child(Programs.Thrower.class, LIMITS)) {
      TaskEnd end = child.run(TaskCall.of(1, Map.of("word", "seven")), TaskEvents.NONE);
      assertThat(end)
          .isInstanceOfSatisfying(
              Failed.class,
              failed -> {
                assertThat(failed.fault()).isEqualTo(Fault.THREW);
                assertThat(failed.reason())
                    .isEqualTo("java.lang.IllegalStateException: no luck with seven");
                assertThat(failed.logTail())
                    .contains("about to fail")
                    .contains("io.gleaner.sandbox.programs.Programs$Thrower.run");
              });
      assertThat(child.usable()).isTrue();
    }
  }

  @Test
  void aSpinningTaskIsStoppedAtItsTimeLimit() throws IOException {
    TaskEnd end = runs(Programs.Spin.class, LIMITS.withTimeMillis(700), Map.of());
    assertThat(end).isInstanceOf(Failed.class);
    assertThat(((Failed) end).fault()).isEqualTo(Fault.TIME);
    assertThat(end.elapsedMillis()).isBetween(700L, 3000L);
  }

  @Test
  void aTaskIsStoppedAtItsLimitOfProcessorTime() throws IOException {
    TaskEnd end = runs(Programs.Spin.class, LIMITS.withCpuMicros(500_000), Map.of());
    assertThat(((Failed) end).fault()).isEqualTo(Fault.UNITS);
    assertThat(end.cpuMicros()).isBetween(500_000L, 5_000_000L);
  }

  @Test
  void aSleepingTaskUsesNoProcessorTime() throws IOException {
    TaskEnd end = runs(Programs.Sleepy.class, LIMITS, Map.of("millis", "400"));
    assertThat(end).isInstanceOf(Completed.class);
    assertThat(end.elapsedMillis()).isGreaterThanOrEqualTo(400);
    assertThat(end.cpuMicros()).isLessThan(350_000);
  }

  @Test
  void aTaskThatEatsTheHeapEndsItself() throws IOException {
    TaskEnd end = runs(Programs.Glutton.class, LIMITS, Map.of());
    assertThat(((Failed) end).fault()).isEqualTo(Fault.MEMORY);
    assertThat(((Failed) end).reason()).contains("48 MB");
  }

  @Test
  void aTaskThatExitsFailsAndNotTheLauncher() throws IOException {
    TaskEnd end = runs(Programs.Exit.class, LIMITS, Map.of());
    assertThat(((Failed) end).fault()).isEqualTo(Fault.DIED);
    assertThat(((Failed) end).reason()).contains("status 0");
    assertThat(((Failed) end).logTail()).contains("goodbye");
  }

  @Test
  void aTaskThatPrintsWithoutEndIsStoppedAndOnlyTheTailIsKept() throws IOException {
    TaskEnd end = runs(Programs.Chatter.class, LIMITS, Map.of());
    assertThat(((Failed) end).fault()).isEqualTo(Fault.LOG);
    assertThat(((Failed) end).logTail().length()).isLessThanOrEqualTo(2 * LogTail.KEPT_BYTES);
  }

  @Test
  void rubbishInTheProtocolEndsTheChild() throws IOException {
    TaskEnd end = runs(Programs.Saboteur.class, LIMITS, Map.of());
    assertThat(((Failed) end).fault()).isEqualTo(Fault.PROTOCOL);
  }

  @Test
  void aResultLongerThanAllowedFails() throws IOException {
    TaskEnd end =
        runs(Programs.Verbose.class, LIMITS.withOutputBytes(1000), Map.of("bytes", "1001"));
    assertThat(((Failed) end).reason()).contains("1001").contains("1000");
    assertThat(runs(Programs.Verbose.class, LIMITS.withOutputBytes(1000), Map.of("bytes", "1000")))
        .isInstanceOf(Completed.class);
  }

  @Test
  void aTaskThatFillsItsFolderIsStoppedAndTheFolderWiped() throws IOException {
    TaskEnd end = runs(Programs.Hoarder.class, LIMITS.withDiskBytes(5 << 20), Map.of());
    assertThat(((Failed) end).fault()).isEqualTo(Fault.DISK);
    assertThat(temp.resolve("children")).isEmptyDirectory();
  }

  @Test
  void aCheckpointGoesOutAndComesBack() throws IOException {
    List<byte[]> saved = new ArrayList<>();
    TaskEvents events =
        new TaskEvents() {
          @Override
          public void progressed(double fraction) {}

          @Override
          public void checkpointed(byte[] state) {
            saved.add(state);
          }
        };
    try (Child child = child(Programs.Stepper.class, LIMITS)) {
      child.run(TaskCall.of(1, Map.of()), events);
      TaskEnd end =
          child.run(new TaskCall(1, 2, Map.of(), Map.of(), List.of(saved.get(0))), events);
      assertThat(((Completed) end).output()).containsExactly(1);
      assertThat(saved.get(1)).containsExactly(2);
    }
  }

  @Test
  void inputsAreReadAndTheWorkingFolderIsWipedBetweenTasks() throws IOException {
    try (Child child = child(Programs.Reader.class, LIMITS)) {
      for (String content : List.of("one", "two")) {
        Path input = Files.writeString(child.workFolder().resolve("input"), content);
        TaskCall call = new TaskCall(1, 1, Map.of(), Map.of("file", input), List.of());
        assertThat(text(child.run(call, TaskEvents.NONE))).isEqualTo(content);
        assertThat(child.workFolder()).isEmptyDirectory();
      }
    }
  }

  @Test
  void aBundleSeesNeitherTheLauncherNorItsEnvironment() throws IOException {
    assertThat(text(runs(Programs.Snoop.class, LIMITS, Map.of()))).isEqualTo("[]");
  }

  @Test
  void aBundleWithOtherBytesThanItsDigestIsNotLoaded() throws IOException {
    Program program = new Program(jar, "00".repeat(32), Programs.Echo.class.getName(), 48);
    try (Child child = sandbox.start(program, LIMITS)) {
      TaskEnd end = child.run(TaskCall.of(1, Map.of("word", "x")), TaskEvents.NONE);
      assertThat(((Failed) end).fault()).isEqualTo(Fault.NOT_LOADED);
      assertThat(((Failed) end).reason()).contains("expected " + "00".repeat(32));
    }
  }

  @Test
  void aMissingClassIsNamed() throws IOException {
    Program program = new Program(jar, Bundles.digest(jar), "no.such.Task", 48);
    try (Child child = sandbox.start(program, LIMITS)) {
      TaskEnd end = child.run(TaskCall.of(1, Map.of()), TaskEvents.NONE);
      assertThat(((Failed) end).reason()).isEqualTo("the bundle has no class no.such.Task");
    }
  }

  @Test
  void aSuspendedChildStandsStillAndItsTimeLimitWithIt() throws Exception {
    try (Child child = child(Programs.Spin.class, LIMITS.withTimeMillis(50_000))) {
      CompletableFuture<TaskEnd> end =
          CompletableFuture.supplyAsync(() -> child.run(TaskCall.of(1, Map.of()), TaskEvents.NONE));
      await().atMost(Duration.ofSeconds(30)).until(() -> cpu(child).toMillis() > 100);
      assertThat(child.suspend()).isTrue();
      AtomicReference<Duration> seen = new AtomicReference<>(Duration.ZERO);
      await()
          .during(Duration.ofMillis(500))
          .until(() -> seen.getAndSet(cpu(child)).equals(cpu(child)));
      Duration before = cpu(child);
      assertThat(child.resume()).isTrue();
      await().until(() -> cpu(child).compareTo(before) > 0);
      child.suspend();
      child.stop("the owner is back");
      assertThat(end.get())
          .isEqualTo(
              new TaskEnd.Stopped(
                  "the owner is back", end.get().cpuMicros(), end.get().elapsedMillis()));
      assertThat(alive(child.pid())).isFalse();
    }
  }

  private static Duration cpu(Child child) {
    return ProcessHandle.of(child.pid())
        .flatMap(handle -> handle.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }
}

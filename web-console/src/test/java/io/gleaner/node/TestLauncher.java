package io.gleaner.node;

import static org.awaitility.Awaitility.await;

import io.gleaner.authority.PoolRole;
import io.gleaner.enrolment.Invitation;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** A real launcher process of the test market, and what can befall it. */
final class TestLauncher implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int LOG_LINES = 20;
  private final Optional<Node> node;
  private final String gateway;
  private final Supplier<Secret> tokens;
  private final String owner;
  private final Path folder;
  private final List<String> options = new ArrayList<>();
  private Process process;

  TestLauncher(Node node, String owner, Path folder) {
    this(
        Optional.of(node),
        node.addresses().gateway(),
        () ->
            node.members()
                .inviteAgain(
                    new Invitation(
                        PoolRole.DEVICE, owner, Optional.of(owner + "-desk"), Duration.ofHours(1)),
                    owner + "-desk")
                .token()
                .text(),
        owner,
        folder);
  }

  /** A launcher of a node in another process; it belongs to whom the token does. */
  TestLauncher(String gateway, Secret token, Path folder) {
    this(Optional.empty(), gateway, () -> token, folder.getFileName().toString(), folder);
  }

  private TestLauncher(
      Optional<Node> node, String gateway, Supplier<Secret> tokens, String owner, Path folder) {
    this.node = node;
    this.gateway = gateway;
    this.tokens = tokens;
    this.owner = owner;
    this.folder = folder;
  }

  String owner() {
    return owner;
  }

  /** Its id in the market: its name. */
  String id() {
    return owner + "-desk";
  }

  TestLauncher asking(String creditsPerUnit) {
    options.addAll(List.of("--reserve", creditsPerUnit));
    return this;
  }

  /** Starts the process and waits until the market knows it. */
  TestLauncher joins() throws IOException {
    starts();
    return isThere();
  }

  /** Starts the process. */
  TestLauncher starts() throws IOException {
    Files.createDirectories(folder);
    Path token = folder.resolve("token");
    Files.deleteIfExists(token);
    SecretFile.write(token, tokens.get());
    start(token);
    return this;
  }

  /** Waits until the market knows it. */
  TestLauncher isThere() {
    try {
      await("launcher of " + owner + " joins")
          .atMost(DEADLINE)
          .until(
              () ->
                  node.orElseThrow().market().launchers().stream()
                      .anyMatch(l -> l.launcherId().equals(id())));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + "\n" + tells(), e);
    }
    return this;
  }

  private void start(Path token) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
    command.add("-Dlogback.configurationFile=io/gleaner/puller/worker-logback.xml");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of("io.gleaner.puller.WorkerCommand", "--join"));
    command.add(gateway);
    command.addAll(List.of("--token-file", token.toString(), "--slots", "1"));
    command.addAll(List.of("--dedicated", "--data", folder.resolve("data").toString()));
    command.addAll(options);
    File log = folder.resolve("worker.log").toFile();
    process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
  }

  /** Starts the process with what it has kept. */
  void startsWithoutToken() throws IOException {
    start(folder.resolve("token"));
  }

  /** Whether it said that it joined. */
  boolean hasJoined() {
    return endOfLog().contains(" joined ");
  }

  /** Waits until it has ended by itself. */
  int ends() throws InterruptedException {
    if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end: " + tells());
    }
    return process.exitValue();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** kill -9: no farewell. */
  void isKilled() {
    process.destroyForcibly();
  }

  /** Stops it in its tracks together with its children, as a sleeping laptop would. */
  void isFrozen() throws IOException, InterruptedException {
    signal("-STOP");
  }

  void wakes() throws IOException, InterruptedException {
    signal("-CONT");
  }

  /** Its process and all that it started. */
  List<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  /** Whether it runs: one that ended and waits for somebody to ask after it does not. */
  static boolean isRunning(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether it lives, and the end of its log. */
  String tells() {
    String state =
        process == null
            ? "was not started"
            : process.isAlive() ? "lives" : "ended with " + process.exitValue();
    return id() + " " + state + ", its log ends:\n" + endOfLog();
  }

  private String endOfLog() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("worker.log"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "it has no log: " + e;
    }
  }

  private void signal(String signal) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    processes().forEach(each -> command.add(Long.toString(each.pid())));
    new ProcessBuilder(command).start().waitFor(5, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws InterruptedException {
    if (process == null) {
      return;
    }
    List<ProcessHandle> all = processes();
    process.destroy();
    if (!process.waitFor(5, TimeUnit.SECONDS)) {
      all.forEach(ProcessHandle::destroyForcibly);
      process.waitFor(5, TimeUnit.SECONDS);
    }
  }
}

package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.api.rest.LocalNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A node as people start it, in a process of its own that can be killed. */
final class NodeProcess implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final Process process;
  private final Path log;

  private NodeProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Runs {@code up} and waits until the node is there. */
  static NodeProcess up(Home home, int gatewayPort, int consolePort, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of("io.gleaner.cli.Main", "up", "--data", home.folder().toString()));
    command.addAll(List.of("--gateway-port", Integer.toString(gatewayPort)));
    command.addAll(List.of("--console-port", Integer.toString(consolePort)));
    command.addAll(options);
    Files.createDirectories(home.folder().getParent());
    Path log = Files.createTempFile(home.folder().getParent(), "up", ".log");
    NodeProcess node =
        new NodeProcess(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start(),
            log);
    await("the node is up")
        .atMost(DEADLINE)
        .until(() -> !node.process.isAlive() || node.wrote(home.nodeFile()));
    assertThat(node.process.isAlive()).as(node.tells()).isTrue();
    return node;
  }

  /** Whether the file of a running node is this one's. */
  private boolean wrote(Path nodeFile) throws IOException {
    return Files.exists(nodeFile)
        && Files.readString(nodeFile).contains("\"pid\":" + process.pid())
        && LocalNode.in(nodeFile.getParent()).isPresent();
  }

  /** Waits until it has ended by itself, and gives what it has said. */
  String ends() throws IOException, InterruptedException {
    assertThat(process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)).as(tells()).isTrue();
    assertThat(process.exitValue()).as(tells()).isEqualTo(1);
    return tells();
  }

  /** kill -9: no farewell. */
  void isKilled() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private String tells() throws IOException {
    return Files.readString(log);
  }

  /**
   * A port that nobody has, below those that the system gives to whoever wants any: so it is free
   * when a node that was killed comes back.
   */
  static int lastingPort() throws IOException {
    IOException last = new IOException("no port was tried");
    for (int i = 0; i < 100; i++) {
      int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  @Override
  public void close() throws InterruptedException {
    isKilled();
  }
}

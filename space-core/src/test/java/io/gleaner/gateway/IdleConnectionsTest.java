package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.authority.PoolRole;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many connections of another process, each with a take that waits, on one node of the usual limits
 * with the real core. {@code -Dgleaner.connections=10000} is the bar; the figures are printed.
 */
@Timeout(600)
class IdleConnectionsTest {
  private static final int CONNECTIONS = Integer.getInteger("gleaner.connections", 500);
  private static final int SAMPLE = Math.min(CONNECTIONS, 100);
  private static final int OF_ONE_OWNER = 2_000;
  private static final int OWNERS = (CONNECTIONS + OF_ONE_OWNER - 1) / OF_ONE_OWNER;
  @TempDir Path folder;

  private final Set<String> answered = ConcurrentHashMap.newKeySet();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();

  /** What this process holds, in bytes. */
  private record Memory(long heap, long resident) {

    static Memory now() throws IOException {
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      String line =
          Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(each -> each.startsWith("VmRSS:"))
              .findFirst()
              .orElse("VmRSS: 0 kB");
      return new Memory(heap, Long.parseLong(line.replaceAll("\\D", "")) * 1024);
    }
  }

  @Test
  void idleConnectionsEachWithATakeThatWaitsAreHeldAndAnswered() throws Exception {
    try (HazelcastSpace space = HazelcastSpace.start(SpaceSettings.defaults());
        TestGateway gateway =
            TestGateway.start(space, folder, quick -> GatewaySettings.onPort(0))) {
      answer(Tuples.in(space).write("the class is known"));
      Memory before = Memory.now();
      long began = System.nanoTime();
      Process clients = starts(gateway);
      try {
        await("all wait")
            .atMost(Duration.ofMinutes(5))
            .until(() -> gateway.server.waitingOperations() == CONNECTIONS);
        long seconds = (System.nanoTime() - began) / 1_000_000_000;
        Memory after = Memory.now();
        System.out.printf(
            "%d connections with a take that waits after %d s: %.1f KB of heap and %.1f KB resident"
                + " for each%n",
            CONNECTIONS,
            seconds,
            (after.heap() - before.heap()) / 1024.0 / CONNECTIONS,
            (after.resident() - before.resident()) / 1024.0 / CONNECTIONS);
        wakesASample(space);
        assertThat(gateway.server.waitingOperations()).isEqualTo(CONNECTIONS - SAMPLE);
        assertThat(gateway.server.clients()).isEqualTo(CONNECTIONS);
        assertThat(broken).isEmpty();
      } finally {
        clients.destroyForcibly();
      }
    }
  }

  private void wakesASample(SpaceEngine space) throws Exception {
    long began = System.nanoTime();
    for (int i = 0; i < SAMPLE; i++) {
      int number = i * (CONNECTIONS / SAMPLE);
      String owner = "owner" + number % OWNERS;
      assertThat(answer(Tuples.in(space, owner + "/s").write("idle-" + number)))
          .isInstanceOf(Reply.Written.class);
    }
    await("the sample is answered").until(() -> answered.size() == SAMPLE);
    System.out.printf(
        "%d of them were woken one after the other in %d ms%n",
        SAMPLE, (System.nanoTime() - began) / 1_000_000);
  }

  private Process starts(TestGateway gateway) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    IdleClients.class.getName(),
                    Integer.toString(gateway.server.port()),
                    Integer.toString(CONNECTIONS)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (PrintStream tokens =
        new PrintStream(process.getOutputStream(), false, StandardCharsets.UTF_8)) {
      for (int owner = 0; owner < OWNERS; owner++) {
        tokens.println(
            gateway
                .tokens
                .issue(PoolRole.APPLICATION, "owner" + owner, Duration.ofHours(1))
                .reveal());
      }
    }
    Thread listener = new Thread(() -> hears(process.inputReader()), "clients-say");
    listener.setDaemon(true);
    listener.start();
    return process;
  }

  private void hears(BufferedReader lines) {
    lines
        .lines()
        .forEach(
            line -> {
              if (line.startsWith("answered ")) {
                answered.add(line);
              } else if (line.startsWith("broken ")) {
                broken.add(line);
              } else {
                System.out.println("clients: " + line);
              }
            });
  }
}

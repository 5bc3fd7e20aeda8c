package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceSettings;
import io.gleaner.tls.NodeCredentials;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many connections of another process, each with a take that waits, on one node of the usual limits
 * over TLS 1.3 with certificates, with the real core. {@code -Dgleaner.connections=10000} is the
 * bar; the figures are printed.
 */
@Timeout(1200)
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
    MemberPool pool = new MemberPool();
    Revocations revocations = new Revocations(pool.registry, () -> 0);
    revocations.poll();
    NodeCredentials node =
        new NodeCredentials(pool.authority, "n1", List.of("127.0.0.1"), InstantSource.system());
    Vertx vertx = Vertx.vertx();
    try (HazelcastSpace space = HazelcastSpace.start(SpaceSettings.defaults());
        GatewayServer gateway =
            GatewayServer.start(
                vertx,
                GatewaySettings.onPort(0),
                space,
                new FileBlobStore(folder.resolve("blobs"), 1 << 20),
                pool.entrance(node, revocations))) {
      answer(Tuples.in(space).write("the class is known"));
      Memory before = Memory.now();
      long began = System.nanoTime();
      Process clients = starts(pool, gateway.port());
      try {
        await("all wait")
            .atMost(Duration.ofMinutes(15))
            .until(
                () -> {
                  assertThat(broken).isEmpty();
                  return gateway.waitingOperations() == CONNECTIONS;
                });
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
        assertThat(gateway.waitingOperations()).isEqualTo(CONNECTIONS - SAMPLE);
        assertThat(gateway.clients()).isEqualTo(CONNECTIONS);
        assertThat(broken).isEmpty();
      } finally {
        clients.destroyForcibly();
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
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

  private Process starts(MemberPool pool, int port) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                IdleClients.class.getName(),
                Integer.toString(port),
                Integer.toString(CONNECTIONS)));
    for (int owner = 0; owner < OWNERS; owner++) {
      Path member = folder.resolve("owner" + owner);
      pool.writes(pool.identity(PoolRole.APPLICATION, "owner" + owner, "idle"), member);
      command.add(member.toString());
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
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

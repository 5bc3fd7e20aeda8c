package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.space.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many threads use one connection; whoever joins an answer reads for the others. */
@Timeout(90)
class SharedConnectionTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 100;

  @TempDir Path folder;
  private final RememberingEngine engine = new RememberingEngine();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private TestGateway gateway;
  private CuttingProxy wire;
  private GatewayConnection client;

  @BeforeEach
  void oneClient() throws Exception {
    gateway = TestGateway.start(engine, folder);
    wire = CuttingProxy.to(gateway.server.port());
    client = gateway.client(wire.address());
  }

  @AfterEach
  void closes() throws Exception {
    threads.shutdownNow();
    client.close();
    wire.close();
    gateway.close();
  }

  @Test
  void everyThreadHearsItsOwnAnswers() throws Exception {
    allHear(pairsOfAllThreads());
    assertThat(engine.entryCount()).isZero();
  }

  @Test
  void everyThreadHearsItsAnswersThroughABrokenConnection() throws Exception {
    List<Future<Void>> working = pairsOfAllThreads();
    for (int cuts = 0; cuts < 3; cuts++) {
      int before = engine.effects();
      await().until(() -> engine.effects() > before || working.stream().allMatch(Future::isDone));
      wire.cut();
    }
    allHear(working);
    assertThat(engine.entryCount()).isZero();
  }

  @Test
  void whatNobodyJoinsIsAnsweredWhileOthersJoin() throws Exception {
    Tuples tuples = Tuples.in(client.engine());
    CompletableFuture<Reply> awaited = tuples.take("awaited", 60_000);
    CompletableFuture<String> told = awaited.thenApply(reply -> "told");
    assertThat(tuples.write("quick").join()).isInstanceOf(Reply.Written.class);
    assertThat(tuples.take("quick", 0).join()).isEqualTo(found("quick"));

    Tuples.in(gateway.engine).write("awaited").join();

    await().atMost(Duration.ofSeconds(30)).until(told::isDone);
    assertThat(awaited).isCompletedWithValue(found("awaited"));
    assertThat(told.join()).isEqualTo("told");
  }

  private List<Future<Void>> pairsOfAllThreads() throws Exception {
    List<Future<Void>> working = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String key = "of thread " + i;
      Tuples tuples = Tuples.in(client.engine());
      Callable<Void> pairs =
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              assertThat(tuples.write(key).join()).isInstanceOf(Reply.Written.class);
              assertThat(tuples.take(key, 0).join()).isEqualTo(found(key));
            }
            return null;
          };
      working.add(threads.submit(pairs));
    }
    return working;
  }

  private static void allHear(List<Future<Void>> working) throws Exception {
    for (Future<Void> each : working) {
      each.get(60, TimeUnit.SECONDS);
    }
  }
}

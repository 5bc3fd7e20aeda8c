package io.gleaner.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.pages.WithConsole;
import io.gleaner.secrets.Secret;
import io.gleaner.tuple.JobState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bags as programs see them: a real console, and tasks that end when the test says so. */
@Timeout(120)
class BagOfTasksTest extends WithConsole {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private Gleaner market;

  @BeforeEach
  void start() {
    market = Gleaner.connect(console.server().address(), console.token("alice"));
  }

  @AfterEach
  void end() {
    market.close();
  }

  @Test
  void resultsComeOnceInTheOrderInWhichTheTasksEnded() throws Exception {
    BagOfTasks bag = submits("key-1", market);
    Heard early = Heard.allOf(bag);
    ends(bag, 5, 3, 9);
    awaitTasks(early, List.of(5, 3, 9));
    ends(bag, IntStream.range(0, 100).filter(i -> i != 5 && i != 3 && i != 9).toArray());
    early.end.get(60, TimeUnit.SECONDS);
    assertThat(early.tasks()).hasSize(100).doesNotHaveDuplicates().startsWith(5, 3, 9, 0, 1);
    assertThat(early.results.get(1).output()).asString().isEqualTo("output of 3");

    Heard late = Heard.allOf(bag);
    late.end.get(60, TimeUnit.SECONDS);
    assertThat(late.tasks()).isEqualTo(early.tasks());
    assertThat(bag.progress().state()).isEqualTo(JobState.DONE);
  }

  @Test
  @Tag("F9")
  void aSubscriberGetsNoMoreThanItAsksFor() throws Exception {
    BagOfTasks bag = submits("key-1", market);
    ends(bag, IntStream.range(0, 100).toArray());
    Heard slow = Heard.someOf(bag);
    slow.asksFor(2);
    awaitTasks(slow, List.of(0, 1));
    slow.asksFor(3);
    awaitTasks(slow, List.of(0, 1, 2, 3, 4));
    slow.leaves();
    slow.asksFor(10);

    Heard exact = Heard.someOf(bag);
    exact.asksFor(100);
    exact.end.get(60, TimeUnit.SECONDS);
    assertThat(exact.results).hasSize(100);
    assertThat(slow.results).hasSize(5);

    Heard wrong = Heard.someOf(bag);
    wrong.asksFor(0);
    assertThatThrownBy(() -> wrong.end.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFailedTaskHasAResultWithItsReason() throws Exception {
    BagOfTasks bag = submits("key-1", market);
    console.bags().ends(bag.id(), 4, Optional.empty(), 0, "division by zero");
    TaskResult failed = bag.result(4).get(60, TimeUnit.SECONDS);
    assertThat(failed.completed()).isFalse();
    assertThat(failed.reason()).isEqualTo("division by zero");
    assertThat(failed.logTail()).contains("Tile.render");
    assertThat(failed.parameters().text("seed")).isEqualTo("4");
    assertThatThrownBy(failed::output).hasMessageContaining("division by zero");
  }

  @Test
  void aCancelEndsTheBagItsSubscribersAndItsFutures() throws Exception {
    BagOfTasks bag = submits("key-1", market);
    Heard heard = Heard.allOf(bag);
    CompletableFuture<TaskResult> missing = bag.result(50);
    CompletableFuture<Progress> ended = bag.ended();
    ends(bag, 1, 2);
    awaitTasks(heard, List.of(1, 2));
    assertThat(bag.cancel().state()).isEqualTo(JobState.CANCELLED);
    assertThat(codeOf(heard.end)).isEqualTo(Code.CANCELLED);
    assertThat(codeOf(missing)).isEqualTo(Code.CANCELLED);
    assertThat(ended.get(60, TimeUnit.SECONDS).completed()).isEqualTo(2);
    assertThat(bag.result(2).get(60, TimeUnit.SECONDS).completed()).isTrue();
  }

  @Test
  void futuresComeWheneverTheyAreAskedFor() throws Exception {
    BagOfTasks bag = submits("key-1", market);
    CompletableFuture<TaskResult> before = bag.result(7);
    ends(bag, 6, 7);
    assertThat(before.get(60, TimeUnit.SECONDS).output()).asString().isEqualTo("output of 7");
    assertThat(bag.result(6).get(60, TimeUnit.SECONDS).output()).asString().endsWith("6");
    CompletableFuture<TaskResult> never = bag.result(1000);
    ends(bag, IntStream.range(0, 100).filter(i -> i != 6 && i != 7).toArray());
    assertThat(codeOf(never)).isEqualTo(Code.NOT_FOUND);
    assertThat(codeOf(bag.result(1001))).isEqualTo(Code.NOT_FOUND);
  }

  @Test
  @Tag("F7")
  void aSubmissionWhoseAnswerIsLostMakesOneBag() throws Exception {
    try (LosingProxy wire =
            LosingProxy.losing("POST /api/v1/bags ", 2, console.server().address());
        Gleaner program = Gleaner.connect(wire.address(), console.token("alice"))) {
      BagOfTasks bag = submits("key-1", program);
      assertThat(wire.lossesLeft()).isNegative();
      assertThat(console.bags().list(Optional.empty(), 10)).hasSize(1);
      assertThat(bag.progress().tasks()).isEqualTo(100);
      assertThat(submits("key-1", market).id()).isEqualTo(bag.id());
      assertThat(market.balanceMicros()).isEqualTo(90_000_000);
    }
  }

  @Test
  @Tag("F8")
  void resultsComeWithoutAnyEvent() throws Exception {
    try (LosingProxy wire =
            LosingProxy.losing(
                "GET /api/v1/events ", Integer.MAX_VALUE, console.server().address());
        Gleaner program = Gleaner.connect(wire.address(), console.token("alice"))) {
      BagOfTasks bag = submits("key-1", program);
      Heard heard = Heard.allOf(bag);
      ends(bag, 3, 1);
      awaitTasks(heard, List.of(3, 1));
      ends(bag, 2);
      awaitTasks(heard, List.of(3, 1, 2));
      heard.leaves();
    }
  }

  @Test
  @Tag("F7")
  void whoeverAsksAgainAfterAnAbsenceOfTheNodeIsAnswered() throws Exception {
    try (LosingProxy wire =
            LosingProxy.losing("GET /api/v1/bags/", Integer.MAX_VALUE, console.server().address());
        Gleaner program =
            Gleaner.to(wire.address(), console.token("alice"))
                .giveUpAfter(Duration.ofMillis(100))
                .connect()) {
      BagOfTasks bag = submits("key-1", program);
      CompletableFuture<TaskResult> first = bag.result(5);
      assertThat(codeOf(first)).isEqualTo(Code.UNREACHABLE);
      assertThat(codeOf(bag.ended())).isEqualTo(Code.UNREACHABLE);
      wire.losesNoMore();
      CompletableFuture<TaskResult> again = bag.result(5);
      CompletableFuture<TaskResult> other = bag.result(9);
      CompletableFuture<Progress> end = bag.ended();
      ends(bag, 9, 5);
      assertThat(again.get(60, TimeUnit.SECONDS).completed()).isTrue();
      assertThat(other.get(60, TimeUnit.SECONDS).completed()).isTrue();
      assertThat(first).isCompletedExceptionally();
      ends(bag, IntStream.range(0, 100).filter(i -> i != 5 && i != 9).toArray());
      assertThat(end.get(60, TimeUnit.SECONDS).completed()).isEqualTo(100);
      assertThat(bag.result(7).get(60, TimeUnit.SECONDS).completed()).isTrue();
    }
  }

  @Test
  void closingTheConnectionEndsWhatWaits() {
    BagOfTasks bag = submits("key-1", market);
    Heard heard = Heard.allOf(bag);
    CompletableFuture<TaskResult> result = bag.result(1);
    CompletableFuture<Progress> ended = bag.ended();
    market.close();
    assertThat(codeOf(heard.end)).isEqualTo(Code.CLOSED);
    assertThat(codeOf(result)).isEqualTo(Code.CLOSED);
    assertThat(codeOf(ended)).isEqualTo(Code.CLOSED);
    assertThat(codeOf(bag.result(1))).isEqualTo(Code.CLOSED);
    assertThat(codeOf(bag.result(2))).isEqualTo(Code.CLOSED);
    assertThat(codeOf(bag.ended())).isEqualTo(Code.CLOSED);
    assertThat(codeOf(Heard.allOf(bag).end)).isEqualTo(Code.CLOSED);
    assertThatThrownBy(() -> market.space("notes")).hasMessageContaining("closed");
  }

  @Test
  void whoeverIsNotLetInOrFindsNobodyIsToldSo() throws Exception {
    URI address = console.server().address();
    assertThatThrownBy(() -> Gleaner.connect(address, Secret.of("wrong")))
        .isInstanceOfSatisfying(
            GleanerException.class, e -> assertThat(e.code()).isEqualTo(Code.NOT_ALLOWED));
    int freePort;
    try (ServerSocket probe = new ServerSocket(0)) {
      freePort = probe.getLocalPort();
    }
    assertThatThrownBy(
            () -> Gleaner.connect(URI.create("http://127.0.0.1:" + freePort), Secret.of("x")))
        .hasMessageContaining("no node answers");
    assertThatThrownBy(() -> market.bag("b-nobody").progress())
        .isInstanceOfSatisfying(
            GleanerException.class, e -> assertThat(e.code()).isEqualTo(Code.NOT_FOUND));
  }

  @Test
  void anOwnersBagIsRefusedWithEveryError() {
    assertThatThrownBy(
            () ->
                market
                    .bag("wrong", new Bundle(new byte[] {1}), "org.example.Sweep")
                    .range("seed", 5, 1)
                    .budget(-1)
                    .submit())
        .isInstanceOfSatisfying(
            GleanerException.class,
            e -> {
              assertThat(e.code()).isEqualTo(Code.REFUSED);
              assertThat(e.problems()).hasSizeGreaterThanOrEqualTo(2);
            });
  }

  @Test
  void theSameBagHasTheSameTextInEveryRun() {
    assertThat(
            market
                .bag("points", new Bundle(new byte[] {1}), "org.example.Sweep")
                .value("depth", 7)
                .points(List.of(Map.of("x", 1, "say", "a \"b\", c"), Map.of("x", 2, "say", "d")))
                .range("seed", 1, 3)
                .unitsPerTask(0.25)
                .mostUnitsPerTask(10)
                .timeLimit(Duration.ofMinutes(1))
                .mostPerUnit(1.5)
                .budget(20)
                .text())
        .isEqualTo(
            "{\"name\":\"points\",\"kind\":\"java\",\"bundle\":\"program.jar\","
                + "\"entry_point\":\"org.example.Sweep\","
                + "\"estimate\":{\"units_per_task\":0.25},\"budget\":20,"
                + "\"parameters\":{\"depth\":\"7\",\"_\":{\"csv\":\"points.csv\"},"
                + "\"seed\":{\"range\":{\"from\":1,\"step\":1,\"to\":3}}},"
                + "\"limits\":{\"units_per_task\":10,\"time\":\"60000ms\"},"
                + "\"price_limit\":{\"per_unit\":1.5}}");
  }

  private static BagOfTasks submits(String key, Gleaner program) {
    return program
        .bag("sweep", new Bundle(new byte[] {1, 2, 3}), "org.example.Sweep")
        .range("seed", 1, 100)
        .budget(10)
        .key(key)
        .submit();
  }

  private void ends(BagOfTasks bag, int... tasks) {
    for (int task : tasks) {
      byte[] output = ("output of " + task).getBytes(StandardCharsets.UTF_8);
      try {
        Optional<String> digest = Optional.of(console.blobs().put(output));
        console.bags().ends(bag.id(), task, digest, output.length, "");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void awaitTasks(Heard heard, List<Integer> tasks) {
    await().atMost(DEADLINE).untilAsserted(() -> assertThat(heard.tasks()).isEqualTo(tasks));
  }

  private static Code codeOf(CompletableFuture<?> failing) {
    try {
      failing.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return ((GleanerException) e.getCause()).code();
    } catch (Exception e) {
      throw new AssertionError("it did not end", e);
    }
    throw new AssertionError("it did not fail");
  }
}

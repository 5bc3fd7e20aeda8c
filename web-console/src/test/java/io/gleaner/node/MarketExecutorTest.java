package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.api.CallFailedException;
import io.gleaner.api.ComputationalSuperTask;
import io.gleaner.api.ComputationalTask;
import io.gleaner.api.Gleaner;
import io.gleaner.api.GleanerException;
import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.MarketExecutor;
import io.gleaner.bag.Bags;
import io.gleaner.node.tasks.Calls;
import io.gleaner.node.tasks.Calls.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of an executor, kept by a real node and a real launcher process. */
@Timeout(120)
class MarketExecutorTest {
  private static final long SECONDS = 60;
  private static TestMarket market;
  private static Gleaner ada;

  @BeforeAll
  static void start() throws Exception {
    market = TestMarket.start(TestMarket.seed());
    market.launcher("olga").joins();
    ada = market.connects("ada");
  }

  @AfterAll
  static void end() throws Exception {
    ada.close();
    market.close();
  }

  private static MarketExecutor executor() {
    return ada.executor().budgetPerCall(0.1).unitsPerCall(0.05).open();
  }

  @Test
  void callsRunElsewhereAndTheirValuesComeBack() throws Exception {
    try (MarketExecutor executor =
        ada.executor().name("in a row").budgetPerCall(0.1).unitsPerCall(0.05).open()) {
      List<CompletableFuture<Long>> squares =
          LongStream.rangeClosed(1, 20).mapToObj(n -> executor.submit(Calls.square(n))).toList();
      CompletableFuture<Point> turned = executor.submit(Calls.turn(new Point(3, 4)));
      CompletableFuture<String> where = executor.submit(Calls.where());
      Future<?> nothing = Calls.printWith(executor);
      for (int i = 0; i < squares.size(); i++) {
        assertThat(squares.get(i).get(SECONDS, TimeUnit.SECONDS)).isEqualTo((i + 1L) * (i + 1L));
      }
      assertThat(turned.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(new Point(-4, 3));
      assertThat(where.get(SECONDS, TimeUnit.SECONDS)).contains("child-");
      assertThat(nothing.get(SECONDS, TimeUnit.SECONDS)).isNull();
      assertThat(bagsOfAda())
          .filteredOn(bag -> bag.name().equals("in a row"))
          .as("calls in a row share bags")
          .hasSizeBetween(1, 20);
    }
  }

  @Test
  void whatACallThrowsIsTheCauseAndIsNotTriedAgain() {
    try (MarketExecutor executor = executor()) {
      Future<Long> failing = executor.submit(Calls.fail("odd numbers are beyond me"));
      assertThatThrownBy(() -> failing.get(SECONDS, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              CallFailedException.class,
              e -> {
                assertThat(e.thrownClass()).isEqualTo("java.lang.IllegalStateException");
                assertThat(e).hasMessageContaining("odd numbers are beyond me");
                assertThat(e.getStackTrace()[0].getClassName()).isEqualTo(Calls.class.getName());
              });
    }
  }

  @Test
  void whatCannotTravelIsSaidSo() {
    try (MarketExecutor executor =
        ada.executor().budgetPerCall(0.1).mostCallBytes(10_000).mostResultBytes(10_000).open()) {
      Callable<Integer> plain = () -> 1;
      assertThatThrownBy(() -> executor.submit(plain))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("ComputationalTask");
      byte[] much = new byte[20_000];
      assertThatThrownBy(() -> executor.submit(() -> much.length))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("at most 10000");
      Future<byte[]> tooLong = executor.submit(Calls.bytes(20_000));
      Future<Object> unserialisable = executor.submit(Calls.unserialisable());
      Future<Object> untold = executor.submit(Calls.turnUntold(new Point(1, 2)));
      assertThatThrownBy(() -> unserialisable.get(SECONDS, TimeUnit.SECONDS))
          .hasMessageContaining("NotSerializableException: java.lang.Object");
      assertThat(codeOf(untold)).isEqualTo(Code.NOT_SERIALISABLE);
      assertThatThrownBy(() -> tooLong.get(SECONDS, TimeUnit.SECONDS))
          .hasMessageContaining("the bag allows 10000");
    }
    try (MarketExecutor executor =
        ada.executor().budgetPerCall(0.1).acceptsFrom(Point.class.getPackageName()).open()) {
      assertThat(executor.submit(Calls.turnUntold(new Point(1, 2))).join())
          .isEqualTo(new Point(-2, 1));
    }
  }

  @Test
  void invokeAllWaitsForAllAndInvokeAnyForOne() throws Exception {
    try (MarketExecutor executor = executor()) {
      List<Callable<Long>> calls =
          List.of(Calls.square(2), Calls.fail("never mind"), Calls.square(3));
      List<Future<Long>> all = executor.invokeAll(calls);
      assertThat(all).hasSize(3).allMatch(Future::isDone);
      assertThat(all.get(0).get()).isEqualTo(4);
      assertThatThrownBy(() -> all.get(1).get()).hasMessageContaining("never mind");
      assertThat(all.get(2).get()).isEqualTo(9);
      assertThat(executor.invokeAny(calls)).isIn(4L, 9L);

      List<Callable<String>> asleep = List.of(Calls.sleep(60_000));
      assertThat(executor.invokeAll(asleep, 1, TimeUnit.SECONDS).get(0).isCancelled()).isTrue();
      assertThat(executor.invokeAll(asleep, Long.MIN_VALUE, TimeUnit.DAYS).get(0).isCancelled())
          .as("a time long past is over at once")
          .isTrue();
      assertThatThrownBy(() -> executor.invokeAny(asleep, 1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
      List<Callable<Long>> hopeless = List.of(Calls.fail("a"), Calls.fail("b"));
      assertThatThrownBy(() -> executor.invokeAny(hopeless))
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseInstanceOf(CallFailedException.class);
      assertThatThrownBy(() -> executor.invokeAny(List.<Callable<Long>>of()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(executor.invokeAll(List.<Callable<Long>>of())).isEmpty();
      List<Callable<Long>> withNull = new ArrayList<>();
      withNull.add(null);
      assertThatThrownBy(() -> executor.invokeAll(withNull))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> executor.execute(null)).isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void aCancelledCallIsRefunded() throws Exception {
    Gleaner eva = market.connects("eva");
    long before = eva.balanceMicros();
    try (eva;
        MarketExecutor executor = eva.executor().budgetPerCall(1).open()) {
      CompletableFuture<String> asleep = executor.submit(Calls.sleep(600_000));
      await("it is on its way")
          .atMost(Duration.ofSeconds(SECONDS))
          .until(() -> eva.balanceMicros() < before);
      assertThat(asleep.cancel(true)).isTrue();
      assertThatThrownBy(asleep::get).isInstanceOf(CancellationException.class);
      await("its bag is cancelled and the budget is back")
          .atMost(Duration.ofSeconds(SECONDS))
          .until(() -> eva.balanceMicros() == before);
    }
  }

  @Test
  void aCallThatItsHolderEndedInAnotherWayIsNotMadeEither() throws Exception {
    Gleaner ivy = market.connects("ivy");
    long before = ivy.balanceMicros();
    try (ivy;
        MarketExecutor executor = ivy.executor().budgetPerCall(1).open()) {
      CompletableFuture<String> asleep = executor.submit(Calls.sleep(600_000));
      await("it is on its way")
          .atMost(Duration.ofSeconds(SECONDS))
          .until(() -> ivy.balanceMicros() < before);
      assertThat(asleep.complete("never mind")).isTrue();
      await("its bag is cancelled and the budget is back")
          .atMost(Duration.ofSeconds(SECONDS))
          .until(() -> ivy.balanceMicros() == before);
    }
  }

  @Test
  void shutdownLetsCallsEndAndTakesNoMore() throws Exception {
    MarketExecutor executor = executor();
    Future<Long> square = executor.submit(Calls.square(5));
    executor.shutdown();
    assertThat(executor.isShutdown()).isTrue();
    assertThatThrownBy(() -> executor.submit(Calls.square(6)))
        .isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> executor.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(executor.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(executor.isTerminated()).isTrue();
    assertThat(square.get(0, TimeUnit.SECONDS)).isEqualTo(25);
    executor.close();
  }

  @Test
  void shutdownNowCancelsWhatIsOnItsWay() throws Exception {
    MarketExecutor executor = executor();
    int before = bagsOfAda().size();
    CompletableFuture<String> asleep = executor.submit(Calls.sleep(600_000));
    assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
    await("it is on its way")
        .atMost(Duration.ofSeconds(SECONDS))
        .until(() -> bagsOfAda().size() > before);
    executor.shutdownNow();
    assertThatThrownBy(() -> asleep.get(SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
    assertThat(executor.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
    await("no bag of hers is left open")
        .atMost(Duration.ofSeconds(SECONDS))
        .until(() -> bagsOfAda().stream().allMatch(bag -> bag.ended().isPresent()));
    executor.close();
  }

  @Test
  void aSuperTaskDividesItselfAndCollectsItsPartsOnceEach() throws Exception {
    try (MarketExecutor executor = executor()) {
      Calls.SumOfSquares job = new Calls.SumOfSquares(1000);
      assertThat(executor.submit(job, 8).get(SECONDS, TimeUnit.SECONDS)).isEqualTo(333_833_500);
      assertThat(job.collected()).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);

      ComputationalSuperTask<Long, Long> broken =
          new ComputationalSuperTask<>() {
            @Override
            public List<ComputationalTask<Long>> divide(int parts) {
              return List.of(Calls.square(1), Calls.fail("a part is broken"));
            }

            @Override
            public void collect(Long result, int part) {}

            @Override
            public Long result() {
              return 0L;
            }
          };
      assertThatThrownBy(() -> executor.submit(broken, 2).get(SECONDS, TimeUnit.SECONDS))
          .hasMessageContaining("a part is broken");
    }
  }

  @Test
  void aBudgetThatIsNotThereFailsTheCall() {
    try (MarketExecutor executor = ada.executor().budgetPerCall(1e9).open()) {
      assertThat(codeOf(executor.submit(Calls.square(2)))).isEqualTo(Code.NOT_ENOUGH_CREDITS);
    }
  }

  private static List<Bags.Summary> bagsOfAda() {
    return market.node().bags().list(Optional.of("ada"), 1000);
  }

  private static Code codeOf(Future<?> failing) {
    try {
      failing.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return ((GleanerException) e.getCause()).code();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("it did not end", e);
    }
    throw new AssertionError("it did not fail");
  }
}

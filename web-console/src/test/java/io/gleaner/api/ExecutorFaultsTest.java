package io.gleaner.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.bag.Bags;
import io.gleaner.node.tasks.Calls;
import io.gleaner.node.tasks.Seven;
import io.gleaner.pages.TestConsole;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One call's fault is no other call's: a real console, and calls that end as the test says. */
@Timeout(120)
class ExecutorFaultsTest {
  private static final long SECONDS = 60;

  @TempDir private static Path folder;
  private static TestConsole console;
  private Gleaner market;

  @BeforeAll
  static void startsConsole() {
    console = TestConsole.start(folder);
  }

  @AfterAll
  static void closesConsole() {
    console.close();
  }

  @BeforeEach
  void connects() {
    market = Gleaner.connect(console.server().address(), console.token("alice"));
  }

  @AfterEach
  void closes() {
    market.close();
  }

  /** Throws an error when it is read. */
  static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) {
      throw new AssertionError("not here");
    }
  }

  @Test
  void aCallThatWasGivenBackIsOfNoMoreConcernToItsExecutor() throws Exception {
    MarketExecutor executor = market.executor().open();
    Busy busy = Busy.makes(executor);
    Future<Long> square = executor.submit(Calls.square(3));
    Future<Long> unwanted = executor.submit(Calls.square(4));
    Future<Long> faulty =
        executor.submit(
            (ComputationalTask<Long>)
                () -> {
                  throw new AssertionError("not here");
                });
    List<Runnable> back = executor.shutdownNow();
    assertThat(back).isEqualTo(List.of(square, unwanted, faulty));
    busy.ends();
    assertThat(executor.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
    back.get(0).run();
    assertThat(square.get(0, TimeUnit.SECONDS)).isEqualTo(9);
    assertThat(executor.isTerminated()).isTrue();
    assertThat(unwanted.cancel(true)).isTrue();
    assertThat(executor.isTerminated()).isTrue();
    back.get(2).run();
    assertThatThrownBy(() -> faulty.get(0, TimeUnit.SECONDS))
        .hasCauseInstanceOf(AssertionError.class);
    assertThat(executor.isTerminated()).isTrue();
    executor.close();
  }

  @Test
  @Tag("S4")
  void aResultThatCannotBeReadFailsItsCallAndNoOther() throws Exception {
    MarketExecutor executor =
        market.executor().name("unreadable").acceptsFrom(Unreadable.class.getPackageName()).open();
    Busy busy = Busy.makes(executor);
    Future<Long> first = executor.submit(Calls.square(2));
    Future<Long> hostile = executor.submit(Calls.square(3));
    Future<Long> last = executor.submit(Calls.square(4));
    busy.ends();
    String bag = bag("unreadable", 1);
    answers(bag, 0, 4L);
    answers(bag, 1, new Unreadable());
    answers(bag, 2, 16L);
    assertThat(first.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(4);
    assertThatThrownBy(() -> hostile.get(SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            GleanerException.class, e -> assertThat(e.code()).isEqualTo(Code.DAMAGED));
    assertThat(last.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(16);
    executor.close();
  }

  @Test
  void aCallWhoseClassesCannotBeReadFailsAlone() throws Exception {
    MarketExecutor executor = market.executor().name("without bytes").open();
    Busy busy = Busy.makes(executor);
    Future<Long> before = executor.submit(Calls.square(2));
    Future<Integer> made = executor.submit(callWhoseBytesAre(name -> null));
    Future<Integer> broken =
        executor.submit(
            callWhoseBytesAre(
                name -> {
                  throw new AssertionError("no bytes");
                }));
    Future<Long> after = executor.submit(Calls.square(3));
    busy.ends();
    String bag = bag("without bytes", 1);
    answers(bag, 0, 4L);
    answers(bag, 1, 9L);
    assertThatThrownBy(() -> made.get(SECONDS, TimeUnit.SECONDS))
        .hasMessageContaining("made at run time");
    assertThatThrownBy(() -> broken.get(SECONDS, TimeUnit.SECONDS))
        .hasCauseInstanceOf(AssertionError.class);
    assertThat(before.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(4);
    assertThat(after.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(9);

    Future<Long> later = executor.submit(Calls.square(4));
    answers(bag("without bytes", 2), 0, 16L);
    assertThat(later.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(16);
    executor.close();
  }

  @Test
  void theValueOfWorkWithoutAResultStaysAtHome() throws Exception {
    MarketExecutor executor = market.executor().name("print").open();
    Object value = new Object();
    Future<Object> printed = executor.submit(Calls.print(), value);
    answers(bag("print", 1), 0, null);
    assertThat(printed.get(SECONDS, TimeUnit.SECONDS)).isSameAs(value);
    executor.close();
  }

  /** Something of a super task that goes wrong. */
  private static ComputationalSuperTask<Long, Long> job(Runnable divide, Runnable collect) {
    return new ComputationalSuperTask<>() {
      @Override
      public List<ComputationalTask<Long>> divide(int parts) {
        divide.run();
        return List.of(Calls.square(2));
      }

      @Override
      public void collect(Long result, int part) {
        collect.run();
      }

      @Override
      public Long result() {
        throw new StackOverflowError("no result");
      }
    };
  }

  @Test
  void aSuperTaskThatThrowsAnErrorFails() throws Exception {
    MarketExecutor executor = market.executor().name("divided").open();
    Busy busy = Busy.makes(executor);
    Runnable nothing = () -> {};
    Runnable fault =
        () -> {
          throw new AssertionError("no collecting");
        };
    Future<Long> collecting = executor.submit(job(nothing, fault), 1);
    Future<Long> ending = executor.submit(job(nothing, nothing), 1);
    busy.ends();
    String bag = bag("divided", 1);
    answers(bag, 0, 4L);
    answers(bag, 1, 4L);
    assertThatThrownBy(() -> collecting.get(SECONDS, TimeUnit.SECONDS))
        .hasCauseInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> ending.get(SECONDS, TimeUnit.SECONDS))
        .hasCauseInstanceOf(StackOverflowError.class);
    Future<Long> dividing = executor.submit(job(fault, nothing), 1);
    assertThatThrownBy(() -> dividing.get(SECONDS, TimeUnit.SECONDS))
        .hasCauseInstanceOf(AssertionError.class);
    executor.close();
  }

  @Test
  void anExecutorEndsWithItsConnection() throws Exception {
    MarketExecutor executor = market.executor().open();
    Busy busy = Busy.makes(executor);
    CompletableFuture<Long> waiting = executor.submit(Calls.square(2));
    market.close();
    busy.ends();
    assertThatThrownBy(() -> waiting.get(SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            GleanerException.class, e -> assertThat(e.code()).isEqualTo(Code.CLOSED));
    assertThatThrownBy(() -> executor.submit(Calls.square(3)))
        .isInstanceOf(RejectedExecutionException.class);
    executor.close();
  }

  /** An executor's sending thread, busy with looking for the bytes of a call that has none. */
  private record Busy(Future<Integer> call, CountDownLatch end) {
    static Busy makes(MarketExecutor executor) throws Exception {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      Future<Integer> call =
          executor.submit(
              callWhoseBytesAre(
                  name -> {
                    asked.countDown();
                    boolean interrupted = false;
                    while (end.getCount() > 0) {
                      try {
                        end.await();
                      } catch (InterruptedException e) {
                        interrupted = true;
                      }
                    }
                    if (interrupted) {
                      Thread.currentThread().interrupt();
                    }
                    return null;
                  }));
      assertThat(asked.await(SECONDS, TimeUnit.SECONDS)).isTrue();
      return new Busy(call, end);
    }

    void ends() {
      end.countDown();
    }
  }

  /** A call of a class whose bytes are found so. */
  private static Callable<Integer> callWhoseBytesAre(Function<String, URL> found) throws Exception {
    String name = Seven.class.getName();
    byte[] bytes;
    try (InputStream in = Seven.class.getResourceAsStream("Seven.class")) {
      bytes = in.readAllBytes();
    }
    ClassLoader loader =
        new ClassLoader(Seven.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String wanted, boolean resolve)
              throws ClassNotFoundException {
            if (!wanted.equals(name)) {
              return super.loadClass(wanted, resolve);
            }
            Class<?> own = findLoadedClass(name);
            return own == null ? defineClass(name, bytes, 0, bytes.length) : own;
          }

          @Override
          public URL getResource(String wanted) {
            return found.apply(wanted);
          }
        };
    @SuppressWarnings("unchecked") // it is Seven
    Callable<Integer> call =
        (Callable<Integer>) loader.loadClass(name).getDeclaredConstructor().newInstance();
    return call;
  }

  /** The newest of so many bags of the name. */
  private static String bag(String name, int count) {
    return await(count + " bags " + name)
        .atMost(Duration.ofSeconds(SECONDS))
        .until(
            () ->
                console.bags().list(Optional.of("alice"), 1000).stream()
                    .filter(bag -> bag.name().equals(name))
                    .toList(),
            bags -> bags.size() == count)
        .stream()
        .map(Bags.Summary::jobId)
        .max(Comparator.comparing(id -> Integer.parseInt(id.replaceAll("\\D", ""))))
        .orElseThrow();
  }

  private static void answers(String bag, int call, Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(0); // a value
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    String digest = console.blobs().put(bytes.toByteArray());
    console.bags().ends(bag, call, Optional.of(digest), bytes.size(), "");
  }
}

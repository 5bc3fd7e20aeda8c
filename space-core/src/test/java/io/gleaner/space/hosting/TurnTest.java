package io.gleaner.space.hosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who brings a task does it, and whatever comes is done, but nobody does others' work for ever. */
@Timeout(60)
class TurnTest {
  private static final int TASKS_OF_ONE = 64;
  private static final int SECONDS = 20;

  private final ExecutorService partition = Executors.newSingleThreadExecutor();
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final Turn first = new Turn(partition);
  private final Turn second = new Turn(partition);
  private volatile boolean ended;

  @AfterEach
  void ends() {
    ended = true;
    clients.shutdownNow();
    partition.shutdownNow();
  }

  @Test
  void whoBringsATaskDoesIt() throws Exception {
    Thread here = Thread.currentThread();
    CompletableFuture<Thread> did = new CompletableFuture<>();
    first.soon(() -> second.soon(() -> did.complete(Thread.currentThread())));
    assertThat(did.get(SECONDS, TimeUnit.SECONDS)).isSameAs(here);
  }

  @Test
  void whoBringsATaskIsLetGoThoughCellsGoOnTellingEachOther() throws Exception {
    AtomicInteger here = new AtomicInteger();
    Future<?> brought =
        clients.submit(
            () -> {
              Thread client = Thread.currentThread();
              first.soon(() -> tells(first, second, client, here));
            });
    brought.get(SECONDS, TimeUnit.SECONDS);
    assertThat(here.get()).isLessThanOrEqualTo(TASKS_OF_ONE);
  }

  private void tells(Turn from, Turn to, Thread client, AtomicInteger here) {
    if (Thread.currentThread() == client) {
      here.incrementAndGet();
    }
    if (!ended) {
      to.soon(() -> tells(to, from, client, here));
    }
  }

  @Test
  void whatOthersBringWhileATaskFailsIsDone() throws Exception {
    CompletableFuture<Void> ofAnother = new CompletableFuture<>();
    CompletableFuture<Void> ofAnotherCell = new CompletableFuture<>();
    CountDownLatch brought = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                first.now(
                    () -> {
                      second.soon(() -> ofAnotherCell.complete(null));
                      clients.execute(
                          () -> {
                            first.soon(() -> ofAnother.complete(null));
                            brought.countDown();
                          });
                      awaits(brought);
                      throw new IllegalArgumentException("cannot be read");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    ofAnother.get(SECONDS, TimeUnit.SECONDS);
    ofAnotherCell.get(SECONDS, TimeUnit.SECONDS);
  }

  private static void awaits(CountDownLatch latch) {
    try {
      assertThat(latch.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}

package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TurnsTest {
  /** What was handed to the threads and has not run. */
  private final Queue<Runnable> threads = new ArrayDeque<>();

  private final List<String> done = new ArrayList<>();
  private final Turns turns = new Turns(threads::add, 2);

  @Test
  @Tag("S15")
  void noMoreAtATimeThanThereAreThreads() {
    for (int i = 0; i < 5; i++) {
      takes("evil", "evil" + i);
    }
    assertThat(threads).hasSize(2);
    threads.remove().run();
    assertThat(threads).hasSize(2);
    threadsRun();
    assertThat(done).containsExactly("evil0", "evil1", "evil2", "evil3", "evil4");
  }

  @Test
  @Tag("S15")
  void ownersTakeTurns() {
    takes("evil", "evil0");
    takes("evil", "evil1");
    takes("evil", "evil2");
    takes("bob", "bob0");
    takes("carol", "carol0");
    takes("bob", "bob1");
    threadsRun();
    assertThat(done).containsExactly("evil0", "bob0", "carol0", "evil1", "bob1", "evil2");
  }

  @Test
  void threadsThatHadNothingToDoAreThereAgain() {
    for (int round = 0; round < 3; round++) {
      takes("bob", "a" + round);
      takes("bob", "b" + round);
      takes("bob", "c" + round);
      assertThat(threads).hasSize(2);
      threadsRun();
      assertThat(threads).isEmpty();
    }
    assertThat(done).hasSize(9);
  }

  @Test
  void aTaskThatFailsTakesNoThreadAlong() {
    for (int i = 0; i < 3; i++) {
      turns.take(
          "evil",
          () -> {
            throw new IllegalStateException("on purpose");
          });
    }
    takes("bob", "bob");
    threadsRun();
    assertThat(done).containsExactly("bob");
    takes("bob", "again");
    assertThat(threads).hasSize(1);
  }

  @Test
  void norDoesOneThatMeetsAnError() {
    for (int i = 0; i < 2; i++) {
      turns.take(
          "evil",
          () -> {
            throw new StackOverflowError("on purpose");
          });
    }
    threadsRun();
    takes("bob", "bob");
    assertThat(threads).hasSize(1);
    threadsRun();
    assertThat(done).containsExactly("bob");
  }

  private void takes(String owner, String task) {
    turns.take(owner, () -> done.add(task));
  }

  private void threadsRun() {
    for (Runnable next = threads.poll(); next != null; next = threads.poll()) {
      next.run();
    }
  }
}

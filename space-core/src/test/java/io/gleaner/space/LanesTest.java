package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's sessions. */
@Timeout(60)
class LanesTest {

  /** Opens its sessions late. */
  private static final class LateEngine implements SpaceEngine {
    CompletableFuture<Long> opening = new CompletableFuture<>();
    final List<Long> closed = new ArrayList<>();

    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      return opening;
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long lowestUnanswered, Command command) {
      return CompletableFuture.completedFuture(new Reply.Done());
    }

    @Override
    public CompletableFuture<Void> close(long session) {
      closed.add(session);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  @Test
  void aSessionThatIsOpenedForNobodyAnyMoreIsEnded() {
    LateEngine engine = new LateEngine();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> new Lanes(engine, "test", event -> {}))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();

    engine.opening.complete(7L);

    assertThat(engine.closed).containsExactly(7L);
  }

  @Test
  void whoIsInterruptedWhileTheSessionForAWaitIsOpenedHearsThatAsAnInterrupt() throws Exception {
    LateEngine engine = new LateEngine();
    engine.opening.complete(7L);
    Lanes lanes = new Lanes(engine, "test", event -> {});
    engine.opening = new CompletableFuture<>();
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () ->
                lanes.askAndWait(
                    new Command.Match("test", Command.Mode.TAKE, List.of(), 0, 1000, 1)))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }
}

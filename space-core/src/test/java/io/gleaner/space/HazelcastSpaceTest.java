package io.gleaner.space;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the embedded member hosts the cells. */
@Timeout(120)
class HazelcastSpaceTest {
  /** What one session and one wait need: a lease, the end of the wait, letters to acknowledge. */
  private static final int FEW = 8;

  @Test
  void manyShortWaitsBesideALongOneLeaveNoAlarmBehind() throws Exception {
    ExecutorService patient = Executors.newSingleThreadExecutor();
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults())) {
      TupleSpace space = SpaceClient.open(engine, "market", "test");
      var unused = patient.submit(() -> space.take(new Note(), null, 60_000));
      await().until(() -> engine.member().alarms() > 0);
      for (int i = 0; i < 50; i++) {
        space.take(new Note(), null, 1);
      }
      await().until(() -> engine.member().alarms() <= FEW);
      space.close();
    } finally {
      patient.shutdownNow();
      patient.awaitTermination(10, TimeUnit.SECONDS);
    }
  }
}

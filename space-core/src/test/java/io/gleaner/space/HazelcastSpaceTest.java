package io.gleaner.space;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the embedded member hosts the cells. */
@Timeout(60)
class HazelcastSpaceTest {

  @Test
  void manyShortWaitsBesideALongOneLeaveNoAlarmBehind() throws Exception {
    ExecutorService patient = Executors.newSingleThreadExecutor();
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults())) {
      TupleSpace space = SpaceClient.open(engine, "market", "test");
      var unused = patient.submit(() -> space.take(new Note(), null, 60_000));
      await().until(() -> engine.member().alarms() == 1);
      for (int i = 0; i < 50; i++) {
        space.take(new Note(), null, 1);
      }
      await().until(() -> engine.member().alarms() == 1);
      space.close();
    } finally {
      patient.shutdownNow();
      patient.awaitTermination(10, TimeUnit.SECONDS);
    }
  }
}

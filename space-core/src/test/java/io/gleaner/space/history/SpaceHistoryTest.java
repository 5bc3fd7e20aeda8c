package io.gleaner.space.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Concurrent operations on a real member are explained by an order of single steps, and would not
 * be if the space were wrong. {@code -Dgleaner.history=1000} does a thousand times as much.
 */
@Timeout(600)
class SpaceHistoryTest {
  private static final int THREADS = 8;
  private static final int TIMES = Integer.getInteger("gleaner.history", 1);

  private static HazelcastSpace engine;
  private final long seed = Long.getLong("gleaner.seed", System.nanoTime());

  @BeforeAll
  static void startMember() {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
  }

  @AfterAll
  static void stopMember() {
    engine.close();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("F1")
  void whatClientsOfOneMemberSeeIsLinearizable(Kind kind) throws Exception {
    System.out.println("SpaceHistoryTest gleaner.seed=" + seed);
    long operations = 0;
    for (int run = 0; run < TIMES; run++) {
      History history = new History();
      drive(history, kind, "history " + kind + run, seed + run * 100L, Optional.empty());
      assertThat(history.unknown()).isZero();
      operations += history.size();
      history.check();
    }
    System.out.println(operations + " operations of " + THREADS + " clients explained, " + kind);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aSpaceWithAFaultIsFoundOut(Fault fault) throws Exception {
    System.out.println("SpaceHistoryTest gleaner.seed=" + seed);
    Optional<String> problem = Optional.empty();
    for (int run = 0; run < 50 && problem.isEmpty(); run++) {
      History history = new History();
      drive(history, Kind.SPREAD, "fault " + fault + run, seed + run * 100L, Optional.of(fault));
      problem = history.problem();
    }
    assertThat(problem).isPresent();
  }

  private static void drive(
      History history, Kind kind, String name, long seed, Optional<Fault> fault) throws Exception {
    List<TupleSpace> clients = new ArrayList<>();
    try {
      for (int i = 0; i < THREADS; i++) {
        clients.add(SpaceClient.open(engine, name, "client " + i));
      }
      List<TupleSpace> used =
          clients.stream().map(each -> fault.isPresent() ? fault.get().in(each) : each).toList();
      new Workload(kind, 4, fault.isPresent() ? 150 : 300, seed).run(history, used);
      history.client("drain", clients.get(0), kind).drain();
    } finally {
      clients.forEach(TupleSpace::close);
    }
  }
}

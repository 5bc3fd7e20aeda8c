package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The space under a hostile network and clock, many times, each from its own seed. {@code
 * -Dgleaner.seed=N} repeats one run, {@code -Dgleaner.seeds=N} tries more.
 */
@Timeout(600)
class SpaceSimulationTest {
  private static final int ROUNDS = 5;
  private static final int STEPS_PER_ROUND = 600;
  private static final int STEPS_PER_LONG_ROUND = 4_000;
  private static final long MOST_SEEDS = 200;

  @Test
  @Tag("F1")
  @Tag("F6")
  @Tag("F7")
  void whateverTheNetworkAndTheClockDoEveryEntryIsTakenOnceAndNoneIsLost() {
    Long only = Long.getLong("gleaner.seed");
    long first = only != null ? only : 1;
    long last = only != null ? only : Long.getLong("gleaner.seeds", 200);
    long matched = 0;
    long forgets = 0;
    long accepted = 0;
    long wentBack = 0;
    long spent = 0;
    for (long seed = first; seed <= last; seed++) {
      SimulatedSpace space = run(seed, SimulatedSpace.Fault.NONE);
      matched += space.account.matched();
      forgets += space.forgets();
      accepted += space.account.accepted();
      wentBack += space.account.wentBack();
      spent += space.account.spent();
    }
    System.out.printf(
        "space simulation: seeds %d to %d, %d entries found, %d takes accepted, %d went back,"
            + " %d spent%n",
        first, last, matched, accepted, wentBack, spent);
    assertThat(matched).isPositive();
    if (last - first >= 100) {
      assertThat(forgets).as("records forgotten").isPositive();
      assertThat(accepted).as("takes accepted").isPositive();
      assertThat(wentBack).as("takes that went back").isPositive();
      assertThat(spent).as("entries spent").isPositive();
    }
  }

  @Test
  @Tag("F1")
  void theSameSeedGoesTheSameWay() {
    assertThat(run(7, SimulatedSpace.Fault.NONE).digest())
        .isEqualTo(run(7, SimulatedSpace.Fault.NONE).digest());
  }

  /** A simulation that notices nothing proves nothing. */
  @ParameterizedTest
  @EnumSource(value = SimulatedSpace.Fault.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  @Tag("F1")
  void brokenCellsAreNoticed(SimulatedSpace.Fault fault) {
    long seed = 1;
    while (seed <= MOST_SEEDS && !isNoticed(seed, fault)) {
      seed++;
    }
    System.out.printf("space simulation: %s is noticed with seed %d%n", fault, seed);
    assertThat(seed).isLessThanOrEqualTo(MOST_SEEDS);
  }

  private static boolean isNoticed(long seed, SimulatedSpace.Fault fault) {
    try {
      run(seed, fault);
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }

  private static SimulatedSpace run(long seed, SimulatedSpace.Fault fault) {
    try {
      return live(new SimulatedSpace(seed, fault));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed " + seed + " (repeat with -Dgleaner.seed=" + seed + "): " + e.getMessage(), e);
    }
  }

  private static SimulatedSpace live(SimulatedSpace space) {
    List<SimulatedClient> clients = new ArrayList<>();
    for (int i = 0; i < (space.isLong() ? 2 : 4); i++) {
      clients.add(new SimulatedClient(space));
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < (space.isLong() ? STEPS_PER_LONG_ROUND : STEPS_PER_ROUND); i++) {
        happens(space, clients);
      }
      space.calm(clients);
      space.nextName();
      clients.forEach(client -> client.unheard().forEach(space.account::checkWaiting));
    }
    for (SimulatedClient client : clients) {
      if (space.chance(0.5)) {
        client.leave();
      } else {
        client.dies();
      }
    }
    space.calm(clients);
    for (int half = 0; half < 2; half++) {
      space.jump(24);
      space.calm(clients);
    }
    space.names().forEach(name -> takeAll(space, name));
    space.account.checkBalance();
    Account.require(space.census().isEmpty(), () -> "something is left: " + space.census());
    return space;
  }

  private static void happens(SimulatedSpace space, List<SimulatedClient> clients) {
    double what = space.random.nextDouble();
    if (what < 0.2) {
      clients.get(space.random.nextInt(clients.size())).acts();
    } else if (what < 0.23) {
      space.timePasses();
    } else if (what < 0.231) {
      space.takeOver();
    } else if (what < 0.2315) {
      space.restart();
    } else {
      space.arrive();
    }
  }

  /** Takes out what is left, after everybody is gone. */
  private static void takeAll(SimulatedSpace space, String name) {
    SimulatedClient last = new SimulatedClient(space);
    space.calm(List.of(last));
    Command.Match all =
        new Command.Match(name, Command.Mode.TAKE, List.of(EntryCodec.encode(null)), 0, 0, 10_000);
    Operation take;
    do {
      take = last.ask(all, null);
      space.calm(List.of(last));
    } while (!((Reply.Matched) take.truth).entries().isEmpty());
    last.leave();
    space.calm(List.of(last));
  }
}

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

/**
 * The space under a hostile network and clock, many times, each from its own seed. {@code
 * -Dgleaner.seed=N} repeats one run, {@code -Dgleaner.seeds=N} tries more.
 */
@Timeout(600)
class SpaceSimulationTest {
  private static final int ROUNDS = 5;
  private static final int STEPS_PER_ROUND = 600;

  @Test
  @Tag("F1")
  @Tag("F6")
  @Tag("F7")
  void whateverTheNetworkAndTheClockDoEveryEntryIsTakenOnceAndNoneIsLost() {
    Long only = Long.getLong("gleaner.seed");
    long first = only != null ? only : 1;
    long last = only != null ? only : Long.getLong("gleaner.seeds", 200);
    long matched = 0;
    for (long seed = first; seed <= last; seed++) {
      matched += run(seed).account.matched();
    }
    System.out.printf("space simulation: seeds %d to %d, %d entries found%n", first, last, matched);
    assertThat(matched).isPositive();
  }

  @Test
  @Tag("F1")
  void theSameSeedGoesTheSameWay() {
    assertThat(run(7).digest()).isEqualTo(run(7).digest());
  }

  private static SimulatedSpace run(long seed) {
    try {
      return live(new SimulatedSpace(seed));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed " + seed + " (repeat with -Dgleaner.seed=" + seed + "): " + e.getMessage(), e);
    }
  }

  private static SimulatedSpace live(SimulatedSpace space) {
    List<SimulatedClient> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      clients.add(new SimulatedClient(space));
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < STEPS_PER_ROUND; i++) {
        happens(space, clients);
      }
      space.calm(clients);
      space.nextName();
      clients.forEach(client -> client.unheard().forEach(space.account::checkWaiting));
    }
    clients.forEach(SimulatedClient::leave);
    space.calm(clients);
    space.jump(2);
    space.calm(clients);
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
    SimulatedClient.Operation take;
    do {
      take = last.ask(all, null);
      space.calm(List.of(last));
    } while (!((Reply.Matched) take.truth).entries().isEmpty());
    last.leave();
    space.calm(List.of(last));
  }
}

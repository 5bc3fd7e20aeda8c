package io.gleaner.policy;

import static io.gleaner.policy.LauncherState.DRAINING;
import static io.gleaner.policy.LauncherState.OFFERING;
import static io.gleaner.policy.LauncherState.OFFLINE;
import static io.gleaner.policy.LauncherState.PAUSED_BY_OWNER;
import static io.gleaner.policy.LauncherState.RUNNING;
import static io.gleaner.policy.LauncherState.SUSPENDED;
import static io.gleaner.policy.LauncherState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.idle.Observations;
import io.gleaner.idle.PowerSource;
import io.gleaner.idle.Reading;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class PolicyMachineTest {
  private static final Observations FREE = seen(3600, 0.05, PowerSource.MAINS);
  private static final Observations TYPED = seen(0, 0.05, PowerSource.MAINS);
  private static final Circumstances READY = new Circumstances(true, true, false, false, 0);
  private static final Circumstances WORKING = new Circumstances(true, true, false, false, 2);

  private final PolicyMachine machine = new PolicyMachine(OwnerPolicy.conservative());
  private Standing standing = Standing.starting(0);
  private long seconds;

  private static Observations seen(long idleSeconds, double load, PowerSource power) {
    return new Observations(
        Reading.known(Duration.ofSeconds(idleSeconds)), Reading.known(load), Reading.known(power));
  }

  private LauncherState after(long more, Observations seen, Circumstances circumstances) {
    seconds += more;
    standing = machine.decide(standing, seen, circumstances, seconds * 1_000_000_000L);
    return standing.state();
  }

  private void works() {
    after(0, FREE, READY);
    assertThat(after(60, FREE, WORKING)).isEqualTo(RUNNING);
  }

  @Test
  void aFreeMachineIsOfferedOnlyAfterAMinute() {
    assertThat(after(0, FREE, READY)).isEqualTo(WAITING);
    assertThat(standing.explanation())
        .isEqualTo("waiting: the machine is free for 0 s, the policy asks for 60 s");
    assertThat(after(59, FREE, READY)).isEqualTo(WAITING);
    assertThat(after(1, FREE, READY)).isEqualTo(OFFERING);
    assertThat(standing.explanation())
        .isEqualTo(
            "offering: nobody used the machine for 60 min and other programs use 0.05 cores");
    assertThat(after(1, FREE, WORKING)).isEqualTo(RUNNING);
  }

  @Test
  void theOwnersReturnSuspendsAtOnceAndAfterTheGraceTheTasksGoBack() {
    works();
    assertThat(after(1, TYPED, WORKING)).isEqualTo(SUSPENDED);
    assertThat(standing.explanation())
        .startsWith("suspended: somebody used the machine 0 s ago")
        .contains("the policy asks for 15 min");
    assertThat(after(299, TYPED, WORKING)).isEqualTo(SUSPENDED);
    assertThat(after(1, TYPED, WORKING)).isEqualTo(WAITING);
  }

  @Test
  void anOwnerWhoLeavesWithinTheGraceGetsTheSameTasksGoingOn() {
    works();
    assertThat(after(1, seen(3600, 0.9, PowerSource.MAINS), WORKING)).isEqualTo(SUSPENDED);
    assertThat(after(5, FREE, WORKING)).isEqualTo(SUSPENDED);
    assertThat(after(60, FREE, WORKING)).isEqualTo(RUNNING);
  }

  @Test
  void aLittleLoadNeitherBeginsNorEndsWork() {
    works();
    Observations between = seen(3600, 0.3, PowerSource.MAINS);
    assertThat(after(10, between, WORKING)).isEqualTo(RUNNING);
    assertThat(after(10, seen(3600, 0.41, PowerSource.MAINS), READY)).isEqualTo(WAITING);
    assertThat(after(1000, between, READY)).isEqualTo(WAITING);
    assertThat(standing.explanation()).contains("0.30 cores").contains("begins below 0.20");
  }

  @Test
  void batteryAndAnythingUnknownMeanBusy() {
    works();
    assertThat(after(1, seen(3600, 0.05, PowerSource.BATTERY), WORKING)).isEqualTo(SUSPENDED);
    for (Observations unknown :
        List.of(
            Observations.none(),
            new Observations(Reading.unknown("x"), FREE.otherLoad(), FREE.power()),
            new Observations(FREE.inputIdle(), Reading.unknown("x"), FREE.power()),
            new Observations(FREE.inputIdle(), FREE.otherLoad(), Reading.unknown("x")))) {
      standing = Standing.starting(seconds);
      works();
      assertThat(after(1, unknown, WORKING)).isEqualTo(SUSPENDED);
      assertThat(standing.explanation()).contains("unknown");
    }
  }

  @Test
  void aDedicatedMachineServesWhateverTheSensorsSay() {
    PolicyMachine dedicated = new PolicyMachine(OwnerPolicy.conservative().asDedicated());
    Standing now =
        dedicated.decide(Standing.starting(0), Observations.none(), READY, 1_000_000_000L);
    assertThat(now.state()).isEqualTo(OFFERING);
    assertThat(now.explanation())
        .isEqualTo("offering: this machine is dedicated and serves always");
  }

  @Test
  void pauseStopAndALostMarketAreObeyedAtOnce() {
    works();
    assertThat(after(0, FREE, new Circumstances(true, true, true, false, 2)))
        .isEqualTo(PAUSED_BY_OWNER);
    assertThat(after(100, FREE, READY)).isEqualTo(OFFERING);
    assertThat(after(1, FREE, new Circumstances(true, false, false, false, 0))).isEqualTo(OFFLINE);
    assertThat(after(1, FREE, READY)).isEqualTo(OFFERING);
    assertThat(after(1, FREE, new Circumstances(true, true, false, true, 2))).isEqualTo(DRAINING);
    assertThat(after(1, FREE, new Circumstances(true, true, false, true, 0))).isEqualTo(OFFLINE);
    assertThat(standing.explanation()).isEqualTo("offline: ended");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noTraceMakesItFlapAndEveryYieldIsImmediate(long number) {
    long seed = Long.getLong("gleaner.seed", number);
    System.out.println("gleaner.seed=" + seed);
    Random random = new Random(seed);
    Duration enter = OwnerPolicy.conservative().enterAfter();
    long begins = 0;
    long start = seconds;
    boolean connected = true;
    for (int i = 0; i < 20_000; i++) {
      LauncherState before = standing.state();
      Observations seen =
          random.nextInt(40) > 0
              ? FREE
              : random.nextBoolean() ? TYPED : seen(3600, random.nextDouble(), PowerSource.MAINS);
      LauncherState now =
          after(1, seen, new Circumstances(true, connected, false, false, random.nextInt(3)));
      begins += !before.works() && now.works() ? 1 : 0;
      boolean busy =
          seen.equals(TYPED)
              || (seen.otherLoad() instanceof Reading.Known<Double> load && load.value() > 0.4);
      assertThat(now.works() && busy).as("works while busy, step %d", i).isFalse();
    }
    assertThat(begins).isBetween(1L, 1 + (seconds - start) / enter.toSeconds());
  }

  @Test
  void everyRowOfTheTableIsReached() {
    Set<String> reached = new HashSet<>();
    Random random = new Random(42);
    Observations[] all = {FREE, FREE, FREE, TYPED, seen(3600, 0.9, PowerSource.MAINS)};
    Circumstances current = READY;
    for (int i = 0; i < 400_000; i++) {
      if (i % 2000 == 0) {
        standing = Standing.starting(seconds * 1_000_000_000L);
        current = new Circumstances(false, true, false, false, 0);
      }
      // one thing changes at a time, so that every step of the machine is seen
      boolean stopping = current.stopping() || random.nextInt(200) == 0;
      current =
          new Circumstances(
              current.ready() || random.nextInt(3) == 0,
              random.nextInt(20) > 0,
              random.nextInt(15) == 0,
              stopping,
              random.nextInt(2));
      LauncherState before = standing.state();
      LauncherState now = after(random.nextInt(200), all[random.nextInt(all.length)], current);
      LauncherState.TRANSITIONS.rows().stream()
          .filter(row -> row.from() == before && row.to() == now)
          .forEach(row -> reached.add(row.toString()));
      if (stopping && now == OFFLINE) {
        standing = Standing.starting(seconds * 1_000_000_000L);
        current = new Circumstances(false, true, false, false, 0);
      }
    }
    assertThat(LauncherState.TRANSITIONS.rows())
        .allSatisfy(row -> assertThat(reached).contains(row.toString()));
    assertThat(EnumSet.allOf(LauncherState.class))
        .allSatisfy(state -> assertThat(LauncherState.TRANSITIONS.allowed(state)).isNotEmpty());
  }
}

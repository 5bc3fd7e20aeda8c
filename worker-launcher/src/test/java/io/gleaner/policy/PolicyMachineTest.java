package io.gleaner.policy;

import static io.gleaner.policy.LauncherState.DRAINING;
import static io.gleaner.policy.LauncherState.OFFERING;
import static io.gleaner.policy.LauncherState.OFFLINE;
import static io.gleaner.policy.LauncherState.PAUSED_BY_OWNER;
import static io.gleaner.policy.LauncherState.RUNNING;
import static io.gleaner.policy.LauncherState.SUSPENDED;
import static io.gleaner.policy.LauncherState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.idle.FreeMachine;
import io.gleaner.idle.Memory;
import io.gleaner.idle.Observations;
import io.gleaner.idle.Others;
import io.gleaner.idle.Power;
import io.gleaner.idle.Reading;
import io.gleaner.policy.OwnerPolicy.InForce;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
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
  private static final Observations FREE = FreeMachine.SEEN;
  private static final Observations TYPED = typed(Duration.ZERO);
  private static final Circumstances READY = said(Wish.NONE, 0);
  private static final Circumstances WORKING = said(Wish.NONE, 2);
  private static final OwnerPolicy CONSERVATIVE = OwnerPolicy.conservative();

  private InForce force = CONSERVATIVE.named("everyday");
  private Standing standing = Standing.starting(0);
  private long seconds;

  private static Observations typed(Duration ago) {
    return FreeMachine.but("inputIdle", Reading.known(ago));
  }

  private static Observations loaded(double cores) {
    return FreeMachine.but("others", Reading.known(new Others(cores, Set.of())));
  }

  private static Observations powered(Power power) {
    return FreeMachine.but("power", Reading.known(power));
  }

  private static Observations pressed(Memory memory) {
    return FreeMachine.but("memory", Reading.known(memory));
  }

  private static Observations hot(double celsius) {
    return FreeMachine.but("temperature", Reading.known(celsius));
  }

  private static Observations full(long bytesFree) {
    return FreeMachine.but("diskFree", Reading.known(bytesFree));
  }

  private static Circumstances said(Wish wish, int running) {
    return new Circumstances(true, true, wish, false, running);
  }

  private LauncherState after(long more, Observations seen, Circumstances circumstances) {
    seconds += more;
    standing = PolicyMachine.decide(force, standing, seen, circumstances, nanos());
    return standing.state();
  }

  private long nanos() {
    return seconds * 1_000_000_000L;
  }

  private <T> void rule(Setting<T> setting, T value) {
    force = new InForce(force.profile(), force.rules().with(setting, value, "test"), force.why());
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
    assertThat(after(1, loaded(0.9), WORKING)).isEqualTo(SUSPENDED);
    assertThat(after(5, FREE, WORKING)).isEqualTo(SUSPENDED);
    assertThat(after(60, FREE, WORKING)).isEqualTo(RUNNING);
  }

  @Test
  void aLittleLoadNeitherBeginsNorEndsWork() {
    works();
    Observations between = loaded(0.3);
    assertThat(after(10, between, WORKING)).isEqualTo(RUNNING);
    assertThat(after(10, loaded(0.41), READY)).isEqualTo(WAITING);
    assertThat(after(1000, between, READY)).isEqualTo(WAITING);
    assertThat(standing.explanation()).contains("0.30 cores").contains("begins below 0.20");
  }

  @Test
  void batteryAndAnythingUnknownMeanBusy() {
    works();
    assertThat(after(1, powered(new Power(true, 90)), WORKING)).isEqualTo(SUSPENDED);
    rule(Setting.PAUSE_FOR, List.of("steam"));
    for (RecordComponent part : Observations.class.getRecordComponents()) {
      standing = Standing.starting(nanos());
      works();
      Observations seen = FreeMachine.but(part.getName(), Reading.unknown("x"));
      assertThat(after(1, seen, WORKING)).as(part.getName()).isEqualTo(SUSPENDED);
      assertThat(standing.explanation()).contains("it is unknown").contains("(x)");
    }
  }

  @Test
  void aDedicatedMachineServesWhateverIsUnknown() {
    force = CONSERVATIVE.asDedicated().named("everyday");
    assertThat(after(1, Observations.none(), READY)).isEqualTo(OFFERING);
    assertThat(standing.explanation())
        .isEqualTo("offering: this machine is dedicated, nobody waits for its keyboard");
    after(1, loaded(3), WORKING);
    assertThat(after(1, TYPED, WORKING)).isEqualTo(RUNNING);
    assertThat(after(1, hot(95), WORKING)).isEqualTo(SUSPENDED);
    assertThat(standing.explanation())
        .startsWith("suspended: the hottest sensor has 95 °C, the policy yields above 85 °C");
  }

  @Test
  void whatTheMachineDoesNotHaveIsNoHindrance() {
    Observations coldless = FreeMachine.but("temperature", Reading.absent("no sensor"));
    after(0, coldless, READY);
    assertThat(after(60, coldless, READY)).isEqualTo(OFFERING);
  }

  @Test
  void shortMemoryHandsTasksBackAtOnce() {
    works();
    assertThat(after(1, pressed(new Memory(6, 0)), WORKING)).isEqualTo(WAITING);
    assertThat(standing.explanation())
        .isEqualTo("waiting: 6 % of the memory is available, the policy yields below 7 %");
    after(1, FREE, READY);
    after(100, pressed(new Memory(10, 0)), READY);
    assertThat(standing.explanation()).endsWith("the policy begins at 15 %");
    standing = Standing.starting(nanos());
    works();
    assertThat(after(1, pressed(new Memory(60, 11)), WORKING)).isEqualTo(WAITING);
  }

  @Test
  void theBatteryCountsFromItsChargeIfTheOwnerSaysSo() {
    rule(Setting.MAINS_ONLY, false);
    works();
    assertThat(after(1, powered(new Power(true, 61)), WORKING)).isEqualTo(RUNNING);
    assertThat(after(1, powered(new Power(true, 59)), WORKING)).isEqualTo(SUSPENDED);
    assertThat(after(60, powered(new Power(true, 79)), WORKING)).isEqualTo(SUSPENDED);
    after(1, powered(new Power(true, 80)), WORKING);
    assertThat(after(60, powered(new Power(true, 80)), WORKING)).isEqualTo(RUNNING);
  }

  @Test
  void heatAndLoadMayLastAsLongAsThePolicySays() {
    rule(Setting.LEAVE_AFTER, Duration.ofSeconds(10));
    works();
    assertThat(after(1, hot(86), WORKING)).isEqualTo(RUNNING);
    assertThat(after(9, loaded(2), WORKING)).isEqualTo(RUNNING);
    assertThat(after(1, hot(86), WORKING)).isEqualTo(SUSPENDED);
  }

  @Test
  void aListedProgramAndAMeteredNetworkPauseWork() {
    rule(Setting.PAUSE_FOR, List.of("blender", "a-name-longer-than-fifteen"));
    works();
    Others others = new Others(0, Set.of("bash", "a-name-longer-t"));
    assertThat(after(1, FreeMachine.but("others", Reading.known(others)), WORKING))
        .isEqualTo(SUSPENDED);
    assertThat(standing.explanation())
        .startsWith("suspended: a-name-longer-than-fifteen runs, for which the policy pauses");
    standing = Standing.starting(nanos());
    works();
    Observations metered = FreeMachine.but("metered", Reading.known(true));
    assertThat(after(1, metered, WORKING)).isEqualTo(SUSPENDED);
    rule(Setting.ON_METERED, true);
    after(1, metered, WORKING);
    assertThat(after(60, metered, WORKING)).isEqualTo(RUNNING);
  }

  @Test
  void aFullDiskStopsWork() {
    works();
    assertThat(after(1, full(1L << 29), WORKING)).isEqualTo(SUSPENDED);
    assertThat(standing.explanation())
        .contains("512 MB of the disk are free, the policy asks for 1 GB");
  }

  @Test
  void pauseStopAndALostMarketAreObeyedAtOnce() {
    works();
    assertThat(after(0, FREE, said(Wish.PAUSE, 2))).isEqualTo(PAUSED_BY_OWNER);
    assertThat(after(1, FREE, READY)).isEqualTo(OFFERING);
    assertThat(after(1, FREE, new Circumstances(true, false, Wish.NONE, false, 0)))
        .isEqualTo(OFFLINE);
    assertThat(after(30, FREE, READY)).isEqualTo(OFFERING);
    assertThat(after(1, FREE, new Circumstances(true, true, Wish.NONE, true, 2)))
        .isEqualTo(DRAINING);
    assertThat(after(1, FREE, new Circumstances(true, true, Wish.NONE, true, 0)))
        .isEqualTo(OFFLINE);
    assertThat(standing.explanation()).isEqualTo("offline: ended");
  }

  @Test
  void aSnoozeEndsByItself() {
    works();
    Wish snooze = Wish.snooze(nanos() + Duration.ofHours(1).toNanos());
    assertThat(after(0, FREE, said(snooze, 2))).isEqualTo(PAUSED_BY_OWNER);
    assertThat(after(600, FREE, said(snooze, 0))).isEqualTo(PAUSED_BY_OWNER);
    assertThat(standing.explanation())
        .isEqualTo("paused by the owner for another 50 min; 'worker resume' lets it go on");
    assertThat(after(3000, FREE, said(snooze, 0))).isEqualTo(OFFERING);
  }

  @Test
  void finishThenPauseLetsTasksEndAndTakesNoOther() {
    works();
    assertThat(after(1, FREE, said(Wish.FINISH, 2))).isEqualTo(DRAINING);
    assertThat(standing.explanation())
        .isEqualTo("draining: 2 tasks to finish, then pause, as the owner said");
    assertThat(standing.state().offers()).isFalse();
    assertThat(standing.state().works()).isTrue();
    assertThat(after(1, TYPED, said(Wish.FINISH, 1))).isEqualTo(SUSPENDED);
    after(1, FREE, said(Wish.FINISH, 1));
    assertThat(after(60, FREE, said(Wish.FINISH, 1))).isEqualTo(DRAINING);
    assertThat(after(1, FREE, said(Wish.FINISH, 0))).isEqualTo(PAUSED_BY_OWNER);
    assertThat(after(1000, FREE, said(Wish.FINISH, 0))).isEqualTo(PAUSED_BY_OWNER);
    assertThat(after(1, FREE, READY)).isEqualTo(OFFERING);
  }

  @Test
  void runNowSetsInputAndLoadAsideButNotHeatOrPower() {
    Wish now = Wish.runNow(Duration.ofHours(1).toNanos());
    force = CONSERVATIVE.named("never");
    assertThat(after(0, TYPED, READY)).isEqualTo(WAITING);
    assertThat(standing.explanation())
        .isEqualTo("waiting: the profile 'never' asks for no work (chosen by the owner)");
    assertThat(after(60, TYPED, said(now, 0))).isEqualTo(OFFERING);
    assertThat(standing.explanation())
        .isEqualTo("offering: the owner said 'run now' for another 59 min");
    assertThat(after(1, loaded(4), said(now, 1))).isEqualTo(RUNNING);
    assertThat(after(1, powered(new Power(true, 90)), said(now, 1))).isEqualTo(SUSPENDED);
    after(1, FREE, said(now, 1));
    assertThat(after(30, FREE, said(now, 1))).isEqualTo(RUNNING);
    assertThat(after(3600, FREE, said(now, 1))).isEqualTo(SUSPENDED);
  }

  @Test
  void workGoesOnAtMostSoOftenInAMinute() {
    works(); // began at 60 s
    assertThat(after(1, loaded(0.9), WORKING)).isEqualTo(SUSPENDED);
    rule(Setting.ENTER_AFTER, Duration.ofSeconds(5));
    after(1, FREE, WORKING);
    assertThat(after(20, FREE, WORKING)).isEqualTo(SUSPENDED);
    assertThat(after(8, FREE, WORKING)).isEqualTo(RUNNING); // 30 s after it began
    assertThat(after(1, TYPED, READY)).isEqualTo(WAITING);
    after(1, FREE, READY);
    after(10, FREE, READY);
    assertThat(standing.explanation())
        .isEqualTo("waiting: work began 12 s ago, the policy allows 2 beginnings a minute");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noTraceMakesItFlapAndEveryYieldIsImmediate(long number) {
    long seed = Long.getLong("gleaner.seed", number);
    System.out.println("gleaner.seed=" + seed);
    Random random = new Random(seed);
    int most = 1 + random.nextInt(12);
    rule(Setting.ENTER_AFTER, Duration.ofSeconds(5 + random.nextInt(20)));
    rule(Setting.ENTRIES_PER_MINUTE, most);
    List<Long> begins = new ArrayList<>();
    boolean connected = true;
    for (int i = 0; i < 20_000; i++) {
      LauncherState before = standing.state();
      Observations seen =
          random.nextInt(40) > 0
              ? FREE
              : random.nextBoolean() ? TYPED : loaded(random.nextDouble());
      connected = random.nextInt(50) > 0 && (connected || random.nextInt(5) == 0);
      LauncherState now =
          after(1, seen, new Circumstances(true, connected, Wish.NONE, false, random.nextInt(3)));
      if (!before.works() && now.works()) {
        begins.add(seconds);
      }
      boolean busy =
          seen.equals(TYPED)
              || (seen.others() instanceof Reading.Known<Others> others
                  && others.value().cores() > 0.4);
      assertThat(now.works() && busy).as("works while busy, step %d", i).isFalse();
    }
    assertThat(begins).isNotEmpty();
    for (long begin : begins) {
      assertThat(begins.stream().filter(other -> other >= begin && other < begin + 60))
          .as("beginnings in the minute after %d s", begin)
          .hasSizeLessThanOrEqualTo(most);
    }
  }

  @Test
  void everyRowOfTheTableIsReached() {
    Set<String> reached = new HashSet<>();
    Random random = new Random(42);
    Observations[] all = {FREE, FREE, FREE, TYPED, loaded(0.9)};
    Wish[] wishes = {Wish.NONE, Wish.NONE, Wish.PAUSE, Wish.FINISH};
    Circumstances fresh = new Circumstances(false, true, Wish.NONE, false, 0);
    Circumstances current = fresh;
    for (int i = 0; i < 400_000; i++) {
      if (i % 2000 == 0) {
        standing = Standing.starting(nanos());
        current = fresh;
      }
      boolean stopping = current.stopping() || random.nextInt(200) == 0;
      current =
          new Circumstances(
              current.ready() || random.nextInt(3) == 0,
              random.nextInt(20) > 0,
              random.nextInt(4) > 0 ? current.wish() : wishes[random.nextInt(wishes.length)],
              stopping,
              random.nextInt(2));
      LauncherState before = standing.state();
      LauncherState now = after(random.nextInt(200), all[random.nextInt(all.length)], current);
      LauncherState.TRANSITIONS.rows().stream()
          .filter(row -> row.from() == before && row.to() == now)
          .forEach(row -> reached.add(row.toString()));
      if (stopping && now == OFFLINE) {
        standing = Standing.starting(nanos());
        current = fresh;
      }
    }
    assertThat(LauncherState.TRANSITIONS.rows())
        .allSatisfy(row -> assertThat(reached).contains(row.toString()));
    assertThat(EnumSet.allOf(LauncherState.class))
        .allSatisfy(state -> assertThat(LauncherState.TRANSITIONS.allowed(state)).isNotEmpty());
  }
}

package io.gleaner.policy;

import io.gleaner.idle.Observations;
import io.gleaner.idle.PowerSource;
import io.gleaner.idle.Reading;
import io.gleaner.policy.LauncherState.Event;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides what the launcher may do; pure and deterministic.
 *
 * <p>Work begins only after the machine was free for {@code enterAfter} without a break, so there
 * are at most {@code 1 + time / enterAfter} beginnings in any time; it yields at the first
 * observation that says busy or unknown (D12). Decided on every observation, so that a yield is
 * never late by more than one look.
 */
public final class PolicyMachine {
  private static final int MOST_STEPS = 4;

  private final OwnerPolicy policy;

  public PolicyMachine(OwnerPolicy policy) {
    this.policy = policy;
  }

  /** The standing after these observations. */
  public Standing decide(
      Standing before, Observations seen, Circumstances circumstances, long nowNanos) {
    Verdict verdict = judge(seen);
    Standing now =
        new Standing(
            before.state(),
            before.sinceNanos(),
            since(verdict.kind() == Verdict.Kind.FREE, before.freeSinceNanos(), nowNanos),
            since(verdict.kind() == Verdict.Kind.LOADED, before.loadedSinceNanos(), nowNanos),
            before.explanation());
    for (int step = 0; step < MOST_STEPS; step++) {
      LauncherState state = now.state();
      Optional<LauncherState> next =
          event(now, verdict, circumstances, nowNanos)
              .flatMap(event -> LauncherState.TRANSITIONS.next(state, event));
      if (next.isEmpty()) {
        break;
      }
      now = new Standing(next.get(), nowNanos, now.freeSinceNanos(), now.loadedSinceNanos(), "");
    }
    return new Standing(
        now.state(),
        now.sinceNanos(),
        now.freeSinceNanos(),
        now.loadedSinceNanos(),
        explain(now, verdict, circumstances, nowNanos));
  }

  private static long since(boolean holds, long before, long nowNanos) {
    return !holds ? Standing.NEVER : before == Standing.NEVER ? nowNanos : before;
  }

  private Verdict judge(Observations seen) {
    if (policy.dedicated()) {
      return new Verdict(Verdict.Kind.FREE, "this machine is dedicated and serves always");
    }
    if (seen.inputIdle() instanceof Reading.Unknown<Duration> unknown) {
      return busy("it is unknown when somebody last typed (" + unknown.why() + ")");
    }
    if (seen.power() instanceof Reading.Unknown<PowerSource> unknown && policy.mainsOnly()) {
      return busy("it is unknown whether the machine is on mains (" + unknown.why() + ")");
    }
    if (seen.otherLoad() instanceof Reading.Unknown<Double> unknown) {
      return busy("it is unknown what other programs use (" + unknown.why() + ")");
    }
    Duration idle = ((Reading.Known<Duration>) seen.inputIdle()).value();
    double load = ((Reading.Known<Double>) seen.otherLoad()).value();
    if (idle.compareTo(policy.inputIdle()) < 0) {
      return busy(
          "somebody used the machine %s ago, the policy asks for %s without input"
              .formatted(words(idle), words(policy.inputIdle())));
    }
    if (policy.mainsOnly()
        && seen.power() instanceof Reading.Known<PowerSource> power
        && power.value() == PowerSource.BATTERY) {
      return busy("the machine is on battery, the policy asks for mains");
    }
    if (load > policy.loadLeave()) {
      return new Verdict(
          Verdict.Kind.LOADED,
          "other programs use %.2f cores, the policy yields above %.2f"
              .formatted(load, policy.loadLeave()));
    }
    if (load >= policy.loadEnter()) {
      return new Verdict(
          Verdict.Kind.BETWEEN,
          "other programs use %.2f cores, the policy begins below %.2f"
              .formatted(load, policy.loadEnter()));
    }
    return new Verdict(
        Verdict.Kind.FREE,
        "nobody used the machine for %s and other programs use %.2f cores"
            .formatted(words(idle), load));
  }

  private static Verdict busy(String reason) {
    return new Verdict(Verdict.Kind.BUSY, reason);
  }

  /** The event that the circumstances ask for most urgently, if the state has not had it yet. */
  private Optional<Event> event(
      Standing now, Verdict verdict, Circumstances circumstances, long nowNanos) {
    LauncherState state = now.state();
    if (circumstances.stopping()) {
      return Optional.of(state == LauncherState.DRAINING ? Event.DRAINED : Event.STOP)
          .filter(event -> event == Event.STOP || circumstances.running() == 0)
          .filter(event -> state != LauncherState.OFFLINE);
    }
    if (circumstances.paused() != (state == LauncherState.PAUSED_BY_OWNER)) {
      return Optional.of(circumstances.paused() ? Event.PAUSE : Event.RESUME);
    }
    if (!circumstances.connected() && state != LauncherState.OFFLINE) {
      return Optional.of(Event.NODE_LOST);
    }
    return switch (state) {
      case STARTING -> when(circumstances.ready(), Event.READY);
      case OFFLINE -> when(circumstances.connected() && circumstances.ready(), Event.NODE_FOUND);
      case WAITING -> when(mayBegin(now, nowNanos), Event.MACHINE_FREE);
      case OFFERING ->
          circumstances.running() > 0 // first, so that what just began is suspended and not lost
              ? Optional.of(Event.WORK_BEGAN)
              : when(mustYield(now, verdict, nowNanos), Event.OWNER_RETURNED);
      case RUNNING ->
          mustYield(now, verdict, nowNanos)
              ? Optional.of(Event.OWNER_RETURNED)
              : when(circumstances.running() == 0, Event.WORK_ENDED);
      case SUSPENDED ->
          circumstances.running() == 0
              ? Optional.of(Event.WORK_ENDED)
              : mayBegin(now, nowNanos)
                  ? Optional.of(Event.MACHINE_FREE)
                  : when(nowNanos - now.sinceNanos() >= policy.grace().toNanos(), Event.GRACE_OVER);
      case DRAINING, PAUSED_BY_OWNER -> Optional.empty();
    };
  }

  private static Optional<Event> when(boolean condition, Event event) {
    return condition ? Optional.of(event) : Optional.empty();
  }

  private boolean mayBegin(Standing now, long nowNanos) {
    return now.freeSinceNanos() != Standing.NEVER
        && (policy.dedicated() || nowNanos - now.freeSinceNanos() >= policy.enterAfter().toNanos());
  }

  private boolean mustYield(Standing now, Verdict verdict, long nowNanos) {
    return verdict.kind() == Verdict.Kind.BUSY
        || (verdict.kind() == Verdict.Kind.LOADED
            && nowNanos - now.loadedSinceNanos() >= policy.leaveAfter().toNanos());
  }

  private String explain(
      Standing now, Verdict verdict, Circumstances circumstances, long nowNanos) {
    return switch (now.state()) {
      case STARTING -> "starting: measuring the machine";
      case WAITING ->
          verdict.kind() == Verdict.Kind.FREE
              ? "waiting: the machine is free for %s, the policy asks for %s"
                  .formatted(
                      words(Duration.ofNanos(nowNanos - now.freeSinceNanos())),
                      words(policy.enterAfter()))
              : "waiting: " + verdict.reason();
      case OFFERING -> "offering: " + verdict.reason();
      case RUNNING ->
          "running %d %s: %s"
              .formatted(
                  circumstances.running(),
                  circumstances.running() == 1 ? "task" : "tasks",
                  verdict.reason());
      case SUSPENDED ->
          "suspended: "
              + verdict.reason()
              + "; tasks go back to the market after "
              + words(policy.grace());
      case DRAINING -> "draining: the launcher ends";
      case PAUSED_BY_OWNER -> "paused by the owner; 'worker resume' lets it go on";
      case OFFLINE ->
          circumstances.stopping() ? "offline: ended" : "offline: the market does not answer";
    };
  }

  /** A duration as a person says it. */
  static String words(Duration time) {
    long seconds = time.toSeconds();
    return seconds < 120
        ? seconds + " s"
        : seconds < 2 * 3600 ? seconds / 60 + " min" : seconds / 3600 + " h";
  }
}

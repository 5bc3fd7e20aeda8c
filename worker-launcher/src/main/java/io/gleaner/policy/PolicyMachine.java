package io.gleaner.policy;

import io.gleaner.idle.Observations;
import io.gleaner.policy.LauncherState.Event;
import io.gleaner.policy.OwnerPolicy.InForce;
import io.gleaner.policy.Verdict.Kind;
import io.gleaner.wording.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Decides what the launcher may do; pure and deterministic.
 *
 * <p>Work begins or goes on only after the machine was free for {@code enter_after} without a
 * break, and at most {@code entries_per_minute} times in any minute whatever the sensors say; it
 * yields at the first observation that says busy or unknown (D12). Decided on every observation, so
 * that a yield is never late by more than one look.
 */
public final class PolicyMachine {
  private static final int MOST_STEPS = 4;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final InForce force;
  private final Rules rules;
  private final Circumstances now;
  private final long nowNanos;
  private final Wish wish;
  private final Verdict verdict;

  private PolicyMachine(
      InForce force, Observations seen, Circumstances circumstances, long nowNanos) {
    this.force = force;
    this.rules = force.rules();
    this.now = circumstances;
    this.nowNanos = nowNanos;
    this.wish = circumstances.wish().at(nowNanos);
    this.verdict = judge(seen);
  }

  /**
   * The standing after these observations.
   *
   * @param force the profile that holds now
   */
  public static Standing decide(
      InForce force,
      Standing before,
      Observations seen,
      Circumstances circumstances,
      long nowNanos) {
    return new PolicyMachine(force, seen, circumstances, nowNanos).after(before);
  }

  private Standing after(Standing before) {
    Standing standing =
        new Standing(
            before.state(),
            before.sinceNanos(),
            since(verdict.kind() == Kind.FREE, before.freeSinceNanos()),
            since(verdict.kind() == Kind.LOADED, before.loadedSinceNanos()),
            before.beganNanos(),
            before.explanation());
    for (int step = 0; step < MOST_STEPS; step++) {
      Standing from = standing;
      Optional<Event> event = event(from);
      Optional<LauncherState> next =
          event.flatMap(what -> LauncherState.TRANSITIONS.next(from.state(), what));
      if (next.isEmpty()) {
        break;
      }
      standing =
          new Standing(
              next.get(),
              nowNanos,
              from.freeSinceNanos(),
              from.loadedSinceNanos(),
              began(from, event.get()),
              "");
    }
    return new Standing(
        standing.state(),
        standing.sinceNanos(),
        standing.freeSinceNanos(),
        standing.loadedSinceNanos(),
        standing.beganNanos(),
        explain(standing));
  }

  private long since(boolean holds, long before) {
    return !holds ? Standing.NEVER : before == Standing.NEVER ? nowNanos : before;
  }

  /** The bound on beginnings is one on sensors; an owner who says resume is no sensor. */
  private long began(Standing from, Event event) {
    return switch (event) {
      case MACHINE_FREE -> nowNanos;
      case RESUME -> Standing.NEVER;
      default -> from.beganNanos();
    };
  }

  /** The worst of all verdicts, the first of its kind; if all are free, what makes them so. */
  private Verdict judge(Observations seen) {
    boolean runNow = wish.kind() == Wish.Kind.RUN_NOW;
    if (!runNow && !rules.get(Setting.WORK)) {
      return new Verdict(
          Kind.BUSY,
          "the profile '%s' asks for no work (%s)".formatted(force.profile(), force.why()));
    }
    Verdict worst = new Verdict(Kind.FREE, "");
    List<String> reasons = new ArrayList<>();
    for (Condition condition : Condition.values()) {
      if (!condition.matters(rules) || (runNow && condition.aboutOwner())) {
        continue;
      }
      Verdict verdict = condition.judge(rules, seen);
      if (verdict.kind().compareTo(worst.kind()) > 0) {
        worst = verdict;
      }
      if (condition.aboutOwner()) {
        reasons.add(verdict.reason());
      }
    }
    if (worst.kind() != Kind.FREE) {
      return worst;
    }
    return new Verdict(
        Kind.FREE,
        runNow
            ? "the owner said 'run now'" + rest()
            : reasons.isEmpty()
                ? "this machine is dedicated, nobody waits for its keyboard"
                : String.join(" and ", reasons));
  }

  /** The event that the circumstances ask for most urgently, if the state has not had it yet. */
  private Optional<Event> event(Standing standing) {
    LauncherState state = standing.state();
    if (now.stopping()) {
      return Optional.of(state == LauncherState.DRAINING ? Event.DRAINED : Event.STOP)
          .filter(event -> event == Event.STOP || now.running() == 0)
          .filter(event -> state != LauncherState.OFFLINE);
    }
    if (wish.kind() == Wish.Kind.PAUSE) {
      return when(state != LauncherState.PAUSED_BY_OWNER, Event.PAUSE);
    }
    boolean finish = wish.kind() == Wish.Kind.FINISH;
    if (state != LauncherState.PAUSED_BY_OWNER
        && state != LauncherState.OFFLINE
        && !now.connected()) {
      return Optional.of(Event.NODE_LOST);
    }
    return switch (state) {
      case STARTING -> when(now.ready(), Event.READY);
      case OFFLINE -> when(now.connected() && now.ready(), Event.NODE_FOUND);
      case PAUSED_BY_OWNER -> when(!finish, Event.RESUME);
      case WAITING ->
          finish ? Optional.of(Event.FINISH) : when(mayBegin(standing), Event.MACHINE_FREE);
      case OFFERING ->
          now.running() > 0 // first, so that what just began is suspended and not lost
              ? Optional.of(Event.WORK_BEGAN)
              : finish
                  ? Optional.of(Event.FINISH)
                  : when(mustYield(standing), Event.OWNER_RETURNED);
      case RUNNING ->
          mustYield(standing)
              ? Optional.of(Event.OWNER_RETURNED)
              : now.running() == 0 ? Optional.of(Event.WORK_ENDED) : when(finish, Event.FINISH);
      case DRAINING ->
          mustYield(standing)
              ? Optional.of(Event.OWNER_RETURNED)
              : now.running() == 0 ? Optional.of(Event.WORK_ENDED) : when(!finish, Event.RESUME);
      case SUSPENDED ->
          now.running() == 0
              ? Optional.of(Event.WORK_ENDED)
              : mayBegin(standing)
                  ? Optional.of(Event.MACHINE_FREE)
                  : when(graceIsOver(standing), Event.GRACE_OVER);
    };
  }

  private static Optional<Event> when(boolean condition, Event event) {
    return condition ? Optional.of(event) : Optional.empty();
  }

  private boolean mayBegin(Standing standing) {
    return standing.freeSinceNanos() != Standing.NEVER
        && untilFreeForLongEnough(standing) <= 0
        && untilNextEntry(standing) <= 0;
  }

  private long untilFreeForLongEnough(Standing standing) {
    return rules.get(Setting.DEDICATED) || wish.kind() == Wish.Kind.RUN_NOW
        ? 0
        : rules.get(Setting.ENTER_AFTER).toNanos() - (nowNanos - standing.freeSinceNanos());
  }

  private long untilNextEntry(Standing standing) {
    return standing.beganNanos() == Standing.NEVER
        ? 0
        : MINUTE_NANOS / rules.get(Setting.ENTRIES_PER_MINUTE) - (nowNanos - standing.beganNanos());
  }

  private boolean mustYield(Standing standing) {
    return verdict.kind().compareTo(Kind.BUSY) >= 0
        || (verdict.kind() == Kind.LOADED
            && nowNanos - standing.loadedSinceNanos() >= rules.get(Setting.LEAVE_AFTER).toNanos());
  }

  private boolean graceIsOver(Standing standing) {
    return verdict.kind() == Kind.PRESSED
        || nowNanos - standing.sinceNanos() >= rules.get(Setting.GRACE).toNanos();
  }

  private String explain(Standing standing) {
    return switch (standing.state()) {
      case STARTING -> "starting: measuring the machine";
      case WAITING ->
          "waiting: " + (verdict.kind() == Kind.FREE ? wait(standing) : verdict.reason());
      case OFFERING -> "offering: " + verdict.reason();
      case RUNNING -> "running %s: %s".formatted(tasks(), verdict.reason());
      case SUSPENDED ->
          "suspended: %s; tasks go back to the market after %s"
              .formatted(verdict.reason(), Durations.words(rules.get(Setting.GRACE)));
      case DRAINING ->
          now.stopping()
              ? "draining: the launcher ends"
              : "draining: %s to finish, then pause, as the owner said".formatted(tasks());
      case PAUSED_BY_OWNER -> "paused by the owner" + rest() + "; 'worker resume' lets it go on";
      case OFFLINE -> now.stopping() ? "offline: ended" : "offline: the market does not answer";
    };
  }

  private String tasks() {
    return now.running() + (now.running() == 1 ? " task" : " tasks");
  }

  private String wait(Standing standing) {
    if (untilFreeForLongEnough(standing) > 0) {
      return "the machine is free for %s, the policy asks for %s"
          .formatted(
              Durations.words(Duration.ofNanos(nowNanos - standing.freeSinceNanos())),
              Durations.words(rules.get(Setting.ENTER_AFTER)));
    }
    return "work began %s ago, the policy allows %d beginnings a minute"
        .formatted(
            Durations.words(Duration.ofNanos(nowNanos - standing.beganNanos())),
            rules.get(Setting.ENTRIES_PER_MINUTE));
  }

  private String rest() {
    return wish.untilNanos() == Wish.ALWAYS
        ? ""
        : " for another " + Durations.words(Duration.ofNanos(wish.untilNanos() - nowNanos));
  }
}

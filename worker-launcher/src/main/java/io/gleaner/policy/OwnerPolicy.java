package io.gleaner.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * When the owner lends the machine. The default is the conservative one.
 *
 * @param dedicated the machine serves always and no sensor is asked
 * @param inputIdle how long nobody must have touched keyboard, mouse and terminals
 * @param loadEnter cores that others may use at most when work begins
 * @param loadLeave cores used by others at which work yields
 * @param enterAfter how long all conditions must hold without a break before work begins
 * @param leaveAfter how long the load of others must stay high before work yields; anything else
 *     yields at once
 * @param mainsOnly whether work stops on battery
 * @param grace how long a suspended task waits before it goes back to the market
 */
public record OwnerPolicy(
    boolean dedicated,
    Duration inputIdle,
    double loadEnter,
    double loadLeave,
    Duration enterAfter,
    Duration leaveAfter,
    boolean mainsOnly,
    Duration grace) {

  /** Shortest time between two beginnings, whatever the file says: the bound on flapping. */
  public static final Duration SHORTEST_ENTER = Duration.ofSeconds(5);

  public OwnerPolicy {
    List<String> problems = new ArrayList<>();
    if (inputIdle.isNegative()) {
      problems.add("input_idle is " + inputIdle + ", expected zero or more");
    }
    if (!(loadEnter > 0)) {
      problems.add("load_enter is " + loadEnter + ", expected more than 0 cores");
    }
    if (!(loadLeave > loadEnter)) {
      problems.add(
          "load_leave is %s and load_enter is %s; work must yield at a higher load than it begins"
              .formatted(loadLeave, loadEnter));
    }
    if (enterAfter.compareTo(SHORTEST_ENTER) < 0) {
      problems.add("enter_after is " + enterAfter + ", expected at least 5 s");
    }
    if (leaveAfter.isNegative() || leaveAfter.compareTo(Duration.ofMinutes(1)) > 0) {
      problems.add("leave_after is " + leaveAfter + ", expected 0 s to 1 min");
    }
    if (grace.isNegative() || grace.compareTo(Duration.ofMinutes(5)) > 0) {
      problems.add("grace is " + grace + ", expected 0 s to 5 min");
    }
    if (!problems.isEmpty()) {
      throw new LauncherException(
          LauncherException.Code.INVALID_POLICY, "The owner's policy is not valid:", problems);
    }
  }

  /** Idle by input for 15 minutes, others use little of the processor, on mains. */
  public static OwnerPolicy conservative() {
    return new OwnerPolicy(
        false,
        Duration.ofMinutes(15),
        0.2,
        0.4,
        Duration.ofMinutes(1),
        Duration.ZERO,
        true,
        Duration.ofMinutes(5));
  }

  /** The same policy for a machine without an owner at its keyboard. */
  public OwnerPolicy asDedicated() {
    return new OwnerPolicy(
        true, inputIdle, loadEnter, loadLeave, enterAfter, leaveAfter, mainsOnly, grace);
  }

  public OwnerPolicy withGrace(Duration time) {
    return new OwnerPolicy(
        dedicated, inputIdle, loadEnter, loadLeave, enterAfter, leaveAfter, mainsOnly, time);
  }
}

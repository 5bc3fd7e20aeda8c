package io.gleaner.policy;

/**
 * Where the state machine is.
 *
 * @param state the state
 * @param sinceNanos when it was entered
 * @param freeSinceNanos since when the machine was free without a break, or {@link #NEVER}
 * @param loadedSinceNanos since when load or heat is too high, or {@link #NEVER}
 * @param beganNanos when work began or went on last, or {@link #NEVER}
 * @param explanation the one reason for the state, with its numbers
 */
public record Standing(
    LauncherState state,
    long sinceNanos,
    long freeSinceNanos,
    long loadedSinceNanos,
    long beganNanos,
    String explanation) {

  /** Not yet, or no longer. */
  public static final long NEVER = Long.MIN_VALUE;

  /** At the start. */
  public static Standing starting(long nowNanos) {
    return new Standing(
        LauncherState.STARTING, nowNanos, NEVER, NEVER, NEVER, "starting: measuring the machine");
  }
}

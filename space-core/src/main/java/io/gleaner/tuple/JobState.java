package io.gleaner.tuple;

import io.gleaner.lifecycle.Transitions;

/** Life of a bag of tasks. Diagram: {@code TRANSITIONS.diagram()}. */
public enum JobState {
  /** Its tasks are being written; nothing of it is cleared. */
  PREPARING,
  /** It bids and its tasks may run. */
  OPEN,
  /** Every task has an accepted result or is parked as failed. */
  DONE,
  /** A task failed for good and the bag asked to stop then. */
  FAILED,
  /** Its owner cancelled it, or its submission was never completed. */
  CANCELLED;

  /** What happens to a bag. */
  public enum Event {
    OPENED,
    LAST_TASK_ENDED,
    TASK_FAILED_FOR_GOOD,
    CANCEL
  }

  public static final Transitions<JobState, Event> TRANSITIONS =
      Transitions.of(JobState.class, Event.class)
          .row(PREPARING, Event.OPENED, OPEN)
          .row(PREPARING, Event.CANCEL, CANCELLED)
          .row(OPEN, Event.LAST_TASK_ENDED, DONE)
          .row(OPEN, Event.TASK_FAILED_FOR_GOOD, FAILED)
          .row(OPEN, Event.CANCEL, CANCELLED)
          .build();

  /** Whether nothing of it will run any more. */
  public boolean ended() {
    return TRANSITIONS.allowed(this).isEmpty();
  }
}

package io.gleaner.policy;

import io.gleaner.lifecycle.Transitions;

/** Life of a launcher. Diagram: {@code TRANSITIONS.diagram()}. */
public enum LauncherState {
  /** It measures the machine and says hello to the market. */
  STARTING,
  /** The owner needs the machine, or may: nothing is offered. */
  WAITING,
  /** The machine is on offer, no task runs. */
  OFFERING,
  /** Tasks run. */
  RUNNING,
  /** The owner is back: tasks stand still and keep their memory. */
  SUSPENDED,
  /** It takes nothing new: what runs is finished, or goes back if the launcher ends. */
  DRAINING,
  /** The owner said pause. */
  PAUSED_BY_OWNER,
  /** The market does not answer, or the launcher has ended. */
  OFFLINE;

  /** What happens to a launcher. */
  public enum Event {
    READY,
    MACHINE_FREE,
    OWNER_RETURNED,
    WORK_BEGAN,
    WORK_ENDED,
    GRACE_OVER,
    PAUSE,
    FINISH,
    RESUME,
    NODE_LOST,
    NODE_FOUND,
    STOP,
    DRAINED
  }

  public static final Transitions<LauncherState, Event> TRANSITIONS =
      Transitions.of(LauncherState.class, Event.class)
          .row(STARTING, Event.READY, WAITING)
          .row(STARTING, Event.PAUSE, PAUSED_BY_OWNER)
          .row(STARTING, Event.NODE_LOST, OFFLINE)
          .row(STARTING, Event.STOP, DRAINING)
          .row(WAITING, Event.MACHINE_FREE, OFFERING)
          .row(WAITING, Event.PAUSE, PAUSED_BY_OWNER)
          .row(WAITING, Event.NODE_LOST, OFFLINE)
          .row(WAITING, Event.STOP, DRAINING)
          .row(WAITING, Event.FINISH, PAUSED_BY_OWNER)
          .row(OFFERING, Event.OWNER_RETURNED, WAITING)
          .row(OFFERING, Event.WORK_BEGAN, RUNNING)
          .row(OFFERING, Event.PAUSE, PAUSED_BY_OWNER)
          .row(OFFERING, Event.FINISH, PAUSED_BY_OWNER)
          .row(OFFERING, Event.NODE_LOST, OFFLINE)
          .row(OFFERING, Event.STOP, DRAINING)
          .row(RUNNING, Event.OWNER_RETURNED, SUSPENDED)
          .row(RUNNING, Event.WORK_ENDED, OFFERING)
          .row(RUNNING, Event.FINISH, DRAINING)
          .row(RUNNING, Event.PAUSE, PAUSED_BY_OWNER)
          .row(RUNNING, Event.NODE_LOST, OFFLINE)
          .row(RUNNING, Event.STOP, DRAINING)
          .row(SUSPENDED, Event.MACHINE_FREE, RUNNING)
          .row(SUSPENDED, Event.GRACE_OVER, WAITING)
          .row(SUSPENDED, Event.WORK_ENDED, WAITING)
          .row(SUSPENDED, Event.PAUSE, PAUSED_BY_OWNER)
          .row(SUSPENDED, Event.NODE_LOST, OFFLINE)
          .row(SUSPENDED, Event.STOP, DRAINING)
          .row(PAUSED_BY_OWNER, Event.RESUME, WAITING)
          .row(PAUSED_BY_OWNER, Event.STOP, DRAINING)
          .row(OFFLINE, Event.NODE_FOUND, WAITING)
          .row(OFFLINE, Event.PAUSE, PAUSED_BY_OWNER)
          .row(DRAINING, Event.OWNER_RETURNED, SUSPENDED)
          .row(DRAINING, Event.WORK_ENDED, PAUSED_BY_OWNER)
          .row(DRAINING, Event.PAUSE, PAUSED_BY_OWNER)
          .row(DRAINING, Event.RESUME, RUNNING)
          .row(DRAINING, Event.NODE_LOST, OFFLINE)
          .row(DRAINING, Event.DRAINED, OFFLINE)
          .build();

  /** Whether the market may see an offer. */
  public boolean offers() {
    return this == OFFERING || this == RUNNING;
  }

  /** Whether tasks may use the processor. */
  public boolean works() {
    return offers() || this == DRAINING;
  }

  /** Whether tasks that run are kept, standing still or not; else they go back to the market. */
  public boolean keepsTasks() {
    return works() || this == SUSPENDED;
  }
}

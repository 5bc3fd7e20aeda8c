package io.gleaner.rest;

import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.bag.Bags;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.signin.Caller;
import java.util.List;
import java.util.Optional;

/**
 * The bags that a caller may see: somebody else's bag is as unknown as one that never was. Its
 * methods block.
 */
public final class VisibleBags {
  private static final int LONGEST_ID = 128;

  private final Bags bags;
  private final SecurityLog log;

  public VisibleBags(Bags bags, SecurityLog log) {
    this.log = log;
    this.bags = bags;
  }

  /**
   * The bag.
   *
   * @throws ConsoleException NOT_FOUND if there is none or the caller may not see it
   */
  public Bags.Summary require(Caller caller, String id) {
    return Optional.of(id)
        .filter(known -> known.length() <= LONGEST_ID)
        .flatMap(bags::find)
        .filter(bag -> caller.may(Action.READ, Thing.of(Thing.BAG, bag.owner())))
        .orElseThrow(() -> new ConsoleException(Code.NOT_FOUND, "there is no such bag of yours"));
  }

  private Bags.Summary requireSteered(Caller caller, String id) {
    Bags.Summary bag = require(caller, id);
    if (!caller.may(Action.CHANGE, Thing.of(Thing.BAG, bag.owner()))) {
      throw new ConsoleException(
          Code.FORBIDDEN, caller.name() + " may look at this bag but not change it");
    }
    return bag;
  }

  /**
   * Cancels it; the log has it when it is somebody else's.
   *
   * @throws ConsoleException NOT_FOUND as above, FORBIDDEN if the caller may only look
   */
  public Bags.Summary cancel(Caller caller, String id) {
    Bags.Summary bag = requireSteered(caller, id);
    if (!bag.owner().equals(caller.name())) {
      log.record(
          SecurityEvent.done(
              Deed.BAG_CANCELLED, caller.actor(), bag.jobId(), "owner=" + bag.owner()));
    }
    return bags.cancel(bag.jobId(), "cancelled by " + caller.name());
  }

  /** Newest first. */
  public List<Bags.Summary> list(Caller caller, int limit) {
    return bags.list(
        caller.may(Action.READ, Thing.every(Thing.BAG))
            ? Optional.empty()
            : Optional.of(caller.name()),
        limit);
  }

  /**
   * The outcome of one task.
   *
   * @throws ConsoleException NOT_FOUND unless the bag is visible and the task has ended
   */
  public Bags.TaskOutcome requireOutcome(Caller caller, String id, int task) {
    Bags.Summary bag = require(caller, id);
    return bags.outcomes(bag.jobId(), task - 1, 1).stream()
        .filter(outcome -> outcome.taskIndex() == task)
        .findFirst()
        .orElseThrow(
            () -> new ConsoleException(Code.NOT_FOUND, "task " + task + " has no result yet"));
  }
}

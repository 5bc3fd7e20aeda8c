package io.gleaner.space.core;

/**
 * One cell of the space: the buckets, operation records, transactions and registrations that live
 * together; whoever hosts it lets one thread at a time in.
 *
 * <p>A cell is deterministic: the same messages at the same times give the same messages, answers
 * and wake-ups. It knows nothing of where the other cells are.
 */
public final class Cell {
  private final Context context;
  private final Directories directories;
  private final Registries registries;
  private final Participants participants;
  private final Coordinators coordinators;
  private final Questions questions;
  private final Buckets buckets;
  private final Registrations registrations;
  private final SessionHomes homes;
  private final Sessions sessions;

  /**
   * An empty cell.
   *
   * @param index its place among the cells, from 0
   * @param cells how many there are
   * @param key for the numbers that it gives
   */
  public Cell(int index, int cells, CellKey key, Limits limits) {
    if (cells < 1 || cells > Ids.MAX_CELLS || index < 0 || index >= cells) {
      throw new IllegalArgumentException("cell " + index + " of " + cells);
    }
    context = new Context(index, cells, key, limits);
    directories = new Directories(context);
    registries = new Registries(context);
    participants = new Participants(context);
    coordinators = new Coordinators(context);
    questions = new Questions(context);
    buckets = new Buckets(context, directories, participants);
    registrations = new Registrations(context, questions, directories);
    homes = new SessionHomes(context);
    Operations operations =
        new Operations(
            context,
            directories,
            participants,
            coordinators,
            questions,
            buckets,
            registrations,
            homes);
    sessions = new Sessions(context, operations::start);
  }

  /** Takes a message; everything that follows from it is in the outbox when this returns. */
  public void deliver(Message message, long nowNanos, Outbox out) {
    context.begin(nowNanos, out);
    fireDeadlines(nowNanos);
    handle(message);
    handleOwn();
  }

  /** Does what is due; call it at {@link #nextDeadline} or later, earlier does no harm. */
  public void wakeUp(long nowNanos, Outbox out) {
    context.begin(nowNanos, out);
    fireDeadlines(nowNanos);
  }

  /** When it wants to be woken, or {@link io.gleaner.leasing.Deadlines#NEVER}. */
  public long nextDeadline() {
    return context.deadlines.next();
  }

  /** What is going on in it. */
  Census census() {
    return buckets
        .census()
        .plus(
            new Census(
                0,
                0,
                0,
                questions.size(),
                participants.size(),
                coordinators.size(),
                registrations.size(),
                sessions.size(),
                homes.size()));
  }

  private void fireDeadlines(long nowNanos) {
    for (Runnable due = context.deadlines.poll(nowNanos);
        due != null;
        due = context.deadlines.poll(nowNanos)) {
      due.run();
      handleOwn();
    }
  }

  private void handleOwn() {
    for (Message own = context.nextToItself(); own != null; own = context.nextToItself()) {
      handle(own);
    }
  }

  private void handle(Message message) {
    if (message instanceof Message.Request m) {
      sessions.on(m);
    } else if (message instanceof Message.Probe m) {
      buckets.on(m);
    } else if (message instanceof Message.Offer m) {
      questions.on(m);
    } else if (message instanceof Message.Settle m) {
      buckets.on(m);
    } else if (message instanceof Message.Put m) {
      buckets.on(m);
    } else if (message instanceof Message.PutDone m) {
      questions.on(m);
    } else if (message instanceof Message.Nothing m) {
      questions.on(m);
    } else if (message instanceof Message.Page m) {
      buckets.on(m);
    } else if (message instanceof Message.Listing m) {
      questions.on(m);
    } else if (message instanceof Message.ProbeRefused m) {
      questions.on(m);
    } else {
      handleRare(message);
    }
  }

  private void handleRare(Message message) {
    if (message instanceof Message.Join m) {
      coordinators.on(m);
    } else if (message instanceof Message.Joined m) {
      participants.on(m);
    } else if (message instanceof Message.Prepare m) {
      participants.on(m);
    } else if (message instanceof Message.Voted m) {
      coordinators.on(m);
    } else if (message instanceof Message.End m) {
      participants.on(m);
    } else if (message instanceof Message.Ended m) {
      coordinators.on(m);
    } else if (message instanceof Message.AskOutcome m) {
      coordinators.on(m);
    } else if (message instanceof Message.Watch m) {
      buckets.on(m);
    } else if (message instanceof Message.Unwatch m) {
      buckets.on(m);
    } else if (message instanceof Message.Watching m) {
      questions.on(m);
    } else if (message instanceof Message.Sighted m) {
      registrations.on(m);
    } else {
      handleMembership(message);
    }
  }

  private void handleMembership(Message message) {
    if (message instanceof Message.Open m) {
      homes.on(m);
    } else if (message instanceof Message.Close m) {
      close(m);
    } else if (message instanceof Message.Attach m) {
      homes.on(m);
    } else if (message instanceof Message.Attached m) {
      sessions.on(m);
    } else if (message instanceof Message.CancelCall m) {
      sessions.on(m);
    } else if (message instanceof Message.Acknowledged m) {
      homes.on(m);
    } else if (message instanceof Message.Forget m) {
      sessions.on(m);
    } else if (message instanceof Message.EndPart m) {
      sessions.on(m);
    } else if (message instanceof Message.PartEnded m) {
      homes.on(m);
    } else if (message instanceof Message.JoinSpace m) {
      registries.on(m);
    } else if (message instanceof Message.SpaceJoined m) {
      directories.on(m);
    } else if (message instanceof Message.Announce m) {
      registries.on(m);
    } else if (message instanceof Message.TypeAdded m) {
      directories.on(m);
    } else if (message instanceof Message.TypeKnown m) {
      registries.on(m);
    } else if (message instanceof Message.Announced m) {
      directories.on(m);
    }
  }

  private void close(Message.Close message) {
    if (homes.close(message)) {
      coordinators.ownerLeft(message.session());
      registrations.sessionLeft(message.session());
    }
  }
}

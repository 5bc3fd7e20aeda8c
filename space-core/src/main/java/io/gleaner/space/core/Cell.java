package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

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
  private final Operations operations;
  private final Sessions sessions;
  private long inputs;

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
    homes = new SessionHomes(context, this::sessionOver);
    participants.onRegistrationOver(registrations::end);
    operations =
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

  /**
   * Does what it did elsewhere or will do again.
   *
   * @throws IllegalStateException if it is not the next input
   */
  public void apply(Input input, Outbox out) {
    if (input.number() != inputs + 1) {
      throw new IllegalStateException(
          "cell " + context.cell + " expects input " + (inputs + 1) + ", not " + input.number());
    }
    if (input.step() instanceof Input.Deliver deliver) {
      deliver(deliver.message(), input.nowNanos(), out);
    } else if (input.step() instanceof Input.WakeUp) {
      wakeUp(input.nowNanos(), out);
    } else if (input.step() instanceof Input.TakeOver) {
      takenOver(input.nowNanos(), out);
    } else if (input.step() instanceof Input.Restart restart) {
      restarted(restart, input.nowNanos(), out);
    }
  }

  /** Takes a message; everything that follows from it is in the outbox when this returns. */
  public void deliver(Message message, long nowNanos, Outbox out) {
    begin(nowNanos, out);
    fireDeadlines();
    handle(message);
    handleOwn();
  }

  /** Does what is due; call it at {@link #nextDeadline} or later, earlier does no harm. */
  public void wakeUp(long nowNanos, Outbox out) {
    begin(nowNanos, out);
    fireDeadlines();
  }

  /**
   * Goes on at another host: nobody who waited for an answer hears it without asking again, every
   * lease starts anew, and letters that are not acknowledged are sent again.
   */
  public void takenOver(long nowNanos, Outbox out) {
    begin(nowNanos, out);
    buckets.restartLeases();
    restartOtherLeases();
    fireDeadlines();
  }

  /**
   * As {@link #takenOver}, after nobody had hosted it: entries of transient classes are gone, but
   * the numbers of their leases are not given again, and the time that has passed counts for long
   * leases of entries.
   */
  private void restarted(Input.Restart restart, long nowNanos, Outbox out) {
    begin(nowNanos, out);
    context.limits = restart.limits();
    context.ids.skip();
    buckets.dropTransient();
    buckets.goOnWithLeases(restart.awayMillis());
    restartOtherLeases();
    handleOwn();
    fireDeadlines();
  }

  private void begin(long nowNanos, Outbox out) {
    context.begin(nowNanos, out);
    inputs++;
  }

  private void restartOtherLeases() {
    coordinators.restartLeases();
    registrations.restartLeases();
    homes.restartLeases();
    context.letters.takenOver();
  }

  /** Writes the whole cell but for its callers, in chunks of at most 1 MB, each used once. */
  public void save(Consumer<byte[]> chunks) {
    StateWriter to = Image.begin(context, chunks);
    to.count(inputs);
    context.save(to);
    registries.save(to);
    homes.save(to);
    sessions.save(to);
    buckets.saveEntries(to);
    participants.save(to);
    buckets.saveProbes(to);
    coordinators.save(to);
    registrations.save(to);
    questions.save(to);
    directories.save(to);
    context.letters.save(to);
    to.close();
  }

  /**
   * A cell as it was when it was saved; however its bytes are cut into chunks.
   *
   * @throws IllegalArgumentException if the bytes are of another format or of none
   */
  public static Cell load(Iterator<byte[]> chunks) {
    StateReader from = new StateReader(chunks);
    Cell cell = Image.load(from);
    cell.load(from);
    from.end();
    return cell;
  }

  private void load(StateReader from) {
    inputs = from.count();
    context.load(from);
    registries.load(from);
    homes.load(from);
    sessions.load(from, operations::load);
    buckets.loadEntries(from);
    participants.load(
        from,
        buckets,
        r -> r.flag() ? (Registering) sessions.read(r).work() : buckets.loadQuestion(r));
    buckets.loadProbes(from);
    coordinators.load(from, sessions::read);
    registrations.load(from, sessions::read);
    questions.load(from, sessions::read, registrations::readAsker);
    directories.load(from, sessions::read, this::readListener);
    context.letters.load(from);
  }

  private Directories.Listener readListener(StateReader from) {
    int kind = from.size();
    return kind == Questions.CALL
        ? (Matching) sessions.read(from).work()
        : registrations.readListener(from);
  }

  /**
   * Whether what the message changes in this cell, and all that it lets the cell answer, is about
   * entries of transient classes: the answers to it need not wait until it is on disk. Letters must
   * wait all the same.
   */
  public boolean concernsTransientOnly(Message message, long nowNanos) {
    return nextDeadline() > nowNanos
        && message instanceof Message.Request request
        && operations.concernsTransientOnly(request.command());
  }

  /**
   * How to carry a request out that is a listing of what anybody may see, without an input; empty
   * if it has to be an operation, because this cell must first hear of its session or its space, or
   * has a record of it. Changes nothing.
   */
  public Optional<Browse> browse(Message.Request request) {
    return request.command() instanceof Command.Contents contents && sessions.isNew(request)
        ? operations.browse(contents)
        : Optional.empty();
  }

  /**
   * What a bucket of this cell holds; with a cursor if there is more. Changes nothing. Leases that
   * are over at {@link #nowNanos} have ended, others not.
   */
  public Reply.Listed look(Message.Look look) {
    return buckets.look(look);
  }

  /** Which of the digests its entries name, in whatever state; changes nothing. */
  public Set<String> named(Set<String> digests) {
    return buckets.named(digests);
  }

  /** How many inputs it has had: calls of {@link #deliver} and its like. */
  public long inputs() {
    return inputs;
  }

  /** The time of the last input. */
  public long nowNanos() {
    return context.now();
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
                homes.size(),
                context.letters.size()));
  }

  private void fireDeadlines() {
    for (Runnable due = context.deadlines.poll(context.now());
        due != null;
        due = context.deadlines.poll(context.now())) {
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
    } else if (message instanceof Message.Letter m) {
      read(m);
    } else if (message instanceof Message.Probe m) {
      buckets.on(m);
    } else if (message instanceof Message.Offer m) {
      questions.on(m);
    } else if (message instanceof Message.Settle m) {
      buckets.on(m);
    } else if (message instanceof Message.Keep m) {
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
    } else if (message instanceof Message.Scout m) {
      buckets.on(m);
    } else if (message instanceof Message.Scouted m) {
      questions.on(m);
    } else if (message instanceof Message.Received m) {
      context.letters.on(m);
    } else {
      handleRare(message);
    }
  }

  private void read(Message.Letter letter) {
    context.letters.on(letter);
    for (Message content = context.letters.next(letter.from());
        content != null;
        content = context.letters.next(letter.from())) {
      handle(content);
      handleOwn();
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
    } else if (message instanceof Message.Spend m) {
      buckets.on(m);
    } else if (message instanceof Message.Unspend m) {
      buckets.on(m);
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
      homes.on(m);
    } else if (message instanceof Message.Renew m) {
      homes.on(m);
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
    } else if (message instanceof Message.AskTypes m) {
      registries.on(m);
    } else if (message instanceof Message.TypesTold m) {
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

  private void sessionOver(long session) {
    coordinators.ownerLeft(session);
    registrations.sessionLeft(session);
  }
}

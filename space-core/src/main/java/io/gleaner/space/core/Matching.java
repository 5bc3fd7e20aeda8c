package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.matching.FieldHash;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One read or take, decided here once, however many buckets it asks.
 *
 * <p>It looks into the candidate buckets, see {@link Looking}; if that finds nothing and it may
 * wait, it waits in all of them and accepts the first offer. What a bucket offers stays reserved
 * there until {@link Message.Settle} says whether it was accepted.
 *
 * <p>A take that waited may answer a client that sleeps by now. If so asked, it keeps what it
 * answered reserved until the client has given a receipt; without one in time it gives it back.
 */
final class Matching implements Work, Questions.Asker, Directories.Listener {
  static final int KIND = 1;

  static final String GIVEN_BACK =
      "what was found for this take was not acknowledged in time and went back; ask again under"
          + " another number";

  private static final Reply.Matched NOTHING = new Reply.Matched(List.of());

  private enum Stage {
    LOOKING,
    WAITING,
    /** What was found waits for the client's receipt. */
    RESERVED,
    OVER
  }

  /** A question to a bucket that is not over. */
  private static final class Probed {
    final BucketKey bucket;
    boolean answered;

    /** It waits only for a lock, and the last lock there is gone. */
    boolean dry;

    Probed(BucketKey bucket) {
      this.bucket = bucket;
    }
  }

  private final Context context;
  private final Questions questions;
  private final Directories directories;
  private final Call call;
  private final Command.Match command;

  /** Whether what it answers after a wait needs a receipt. */
  private final boolean reserves;

  private final Map<ProbeId, Probed> probes = new LinkedHashMap<>(2);
  private final Map<ProbeId, BucketKey> offers = new LinkedHashMap<>(2);
  private final List<EncodedEntry> found = new ArrayList<>(1);
  private final Looking looking;
  private boolean sawLock;
  private boolean begun;
  private boolean stopped;
  private boolean listening;

  /** It was told at least once that there is nothing now. */
  private boolean waited;

  /** The end of the wait or of the time for a receipt. */
  private Deadlines.Handle timeUp;

  private Stage stage = Stage.LOOKING;

  Matching(
      Context context,
      Questions questions,
      Directories directories,
      Call call,
      Command.Match command,
      boolean reserves) {
    this.context = context;
    this.questions = questions;
    this.directories = directories;
    this.call = call;
    this.command = command;
    this.reserves = reserves;
    this.looking = new Looking(context, questions, this, command);
  }

  @Override
  public void begin() {
    if (stage == Stage.OVER) {
      call.answer(NOTHING);
      return;
    }
    begun = true;
    List<BucketKey> candidates = candidates();
    if (command.timeoutMillis() > 0 && !stopped) {
      timeUp =
          context.deadlines.add(
              Deadlines.after(context.now(), command.timeoutMillis()), this::timeIsUp);
      if (candidates.size() == 1) {
        waitEverywhere();
        return;
      }
    }
    look(candidates);
  }

  /** All buckets that may have what it asks for. */
  private List<BucketKey> candidates() {
    return directories.candidates(command.space(), command.templates());
  }

  private void look(List<BucketKey> candidates) {
    looking.begin(candidates, first(candidates));
    lookFurther();
  }

  /** Which candidate it looks into first. */
  private int first(List<BucketKey> candidates) {
    if (candidates.isEmpty()) {
      return 0;
    }
    if (command.lookFirst() != Command.Match.ANYWHERE && command.templates().size() == 1) {
      int wanted =
          candidates.indexOf(
              new BucketKey(
                  command.space(), command.templates().get(0).type(), command.lookFirst()));
      if (wanted >= 0) {
        return wanted;
      }
    }
    return Math.floorMod(FieldHash.mix(call.session + call.sequence), candidates.size());
  }

  private void lookFurther() {
    if (Limits.isFull(found, command.limit())) {
      conclude();
      return;
    }
    BucketKey bucket = looking.next();
    if (bucket != null) {
      // Holding an offer while waiting for somebody else's commit could become a circle.
      probe(bucket, false, found.isEmpty());
    } else if (!looking.goesOn()) {
      lookIsOver();
    }
  }

  private void lookIsOver() {
    if (!found.isEmpty()) {
      conclude();
    } else if (mayWait()) {
      waited = true;
      waitEverywhere();
    } else {
      finish(NOTHING);
    }
  }

  private boolean mayWait() {
    return command.timeoutMillis() > 0 && !stopped && (sawLock || !command.mode().ifExists());
  }

  private void waitEverywhere() {
    stage = Stage.WAITING;
    directories.listen(command.space(), this);
    listening = true;
    // Classes may have been added while it was looking.
    candidates().forEach(bucket -> probe(bucket, true, true));
  }

  private void probe(BucketKey bucket, boolean waits, boolean patient) {
    ProbeId id = questions.ask(this);
    probes.put(id, new Probed(bucket));
    context.send(
        bucket.cell(context.cells),
        new Message.Probe(
            id,
            bucket,
            command.mode(),
            command.templates(),
            command.transaction(),
            command.limit() - found.size(),
            waits,
            patient));
  }

  @Override
  public void typeAdded(EntryType type) {
    List<BucketKey> added = new ArrayList<>();
    for (EncodedEntry template : command.templates()) {
      if (type.canMatch(template.type())) {
        Directories.addShards(command.space(), type, template, added);
      }
    }
    added.stream().distinct().forEach(bucket -> probe(bucket, true, true));
  }

  @Override
  public void offered(ProbeId id, List<EncodedEntry> entries) {
    Probed probed = probes.remove(id);
    questions.over(id);
    offers.put(id, probed.bucket);
    found.addAll(entries);
    if (stage == Stage.LOOKING) {
      lookFurther();
    } else {
      conclude();
    }
  }

  @Override
  public void scouted(Message.Scouted answer) {
    looking.scouted(answer);
    sawLock |= answer.locked();
    if (probes.isEmpty()) {
      lookFurther();
    }
  }

  private void conclude() {
    if (!reserves || !waited) {
      finish(new Reply.Matched(found));
      return;
    }
    stage = Stage.RESERVED;
    stopsListening();
    endProbes();
    offers.forEach(
        (id, bucket) -> context.send(bucket.cell(context.cells), new Message.Keep(id, bucket)));
    cancelTimeUp();
    timeUp =
        context.deadlines.add(
            Deadlines.after(context.now(), context.limits.receiptMillis()), this::receiptIsOverdue);
    call.answerForNow(new Reply.Reserved(found));
  }

  @Override
  public void acknowledged() {
    if (stage == Stage.RESERVED) {
      end(true);
      call.answer(new Reply.Done());
    }
  }

  private void receiptIsOverdue() {
    timeUp = null;
    end(false);
    call.refuse(Reply.Refusal.GIVEN_BACK, GIVEN_BACK);
  }

  @Override
  public void nothing(ProbeId id, boolean locked) {
    if (stage == Stage.LOOKING) {
      probes.remove(id);
      questions.over(id);
      sawLock |= locked;
      lookFurther();
      return;
    }
    waited = true;
    Probed probed = probes.get(id);
    probed.answered = true;
    probed.dry |= command.mode().ifExists() && !locked;
    if (probes.values().stream().allMatch(p -> p.dry)) {
      finish(NOTHING);
    }
  }

  @Override
  public void refused(ProbeId id, Reply.Refused refusal) {
    probes.remove(id);
    finish(refusal);
  }

  /**
   * Looks a last time and answers what that finds: a bucket may not have answered at all yet, and
   * what it hid may have been decided about, so that the end of a wait is no less than a look
   * without one.
   */
  private void timeIsUp() {
    timeUp = null;
    stopWaiting();
  }

  @Override
  public void stopWaiting() {
    stopped = true;
    if (stage == Stage.WAITING) {
      leave(false);
      stage = Stage.LOOKING;
      look(candidates());
    }
  }

  @Override
  public boolean abandon() {
    if (stage != Stage.OVER) {
      end(false);
    }
    return !begun;
  }

  private void finish(Reply reply) {
    end(reply instanceof Reply.Matched);
    call.answer(reply);
  }

  private void end(boolean accepted) {
    stage = Stage.OVER;
    cancelTimeUp();
    leave(accepted);
  }

  private void cancelTimeUp() {
    if (timeUp != null) {
      context.deadlines.cancel(timeUp);
      timeUp = null;
    }
  }

  private void leave(boolean accepted) {
    stopsListening();
    offers.forEach((id, bucket) -> settle(id, bucket, accepted));
    offers.clear();
    endProbes();
  }

  private void stopsListening() {
    if (listening) {
      directories.forget(command.space(), this);
      listening = false;
    }
  }

  private void endProbes() {
    looking.over();
    probes.forEach(
        (id, probed) -> {
          if (probed.answered) {
            questions.over(id);
            settle(id, probed.bucket, false);
          } else {
            questions.leave(id, probed.bucket);
          }
        });
    probes.clear();
  }

  private void settle(ProbeId id, BucketKey bucket, boolean accepted) {
    if (command.mode().takes() || !accepted) {
      context.send(bucket.cell(context.cells), new Message.Settle(id, bucket, accepted));
    }
  }

  @Override
  public void saveReference(StateWriter to) {
    to.count(Questions.CALL);
    to.call(call);
  }

  @Override
  public void save(StateWriter to) {
    to.count(KIND);
    CommandCodec.write(to, command);
    to.flag(reserves);
    to.text(stage.name());
    to.flag(begun);
    to.flag(stopped);
    to.flag(sawLock);
    to.flag(listening);
    to.flag(waited);
    to.handle(timeUp);
    looking.save(to);
    to.count(probes.size());
    probes.forEach(
        (id, probed) -> {
          to.probe(id);
          to.bucket(probed.bucket);
          to.flag(probed.answered);
          to.flag(probed.dry);
        });
    to.count(offers.size());
    offers.forEach(
        (id, bucket) -> {
          to.probe(id);
          to.bucket(bucket);
        });
    to.entries(found);
  }

  void load(StateReader from) {
    stage = Stage.valueOf(from.text());
    begun = from.flag();
    stopped = from.flag();
    sawLock = from.flag();
    listening = from.flag();
    waited = from.flag();
    timeUp = from.handle();
    if (timeUp != null) {
      context.deadlines.restore(
          timeUp, stage == Stage.RESERVED ? this::receiptIsOverdue : this::timeIsUp);
    }
    looking.load(from);
    for (int rest = from.size(); rest > 0; rest--) {
      ProbeId id = from.probe();
      Probed probed = new Probed(from.bucket());
      probed.answered = from.flag();
      probed.dry = from.flag();
      probes.put(id, probed);
    }
    for (int rest = from.size(); rest > 0; rest--) {
      offers.put(from.probe(), from.bucket());
    }
    found.addAll(from.entries());
  }
}

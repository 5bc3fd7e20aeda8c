package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.Message;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One cell on this member, if it is here: which part this member has in it. As its owner it carries
 * out what arrives ({@link Securing}), as its replica it repeats what the owner did ({@link
 * Repeating}). With storage an owner claims the cell there before it serves it. All but {@link
 * #arrive}, {@link #isLost} and {@link #withholds} is for whoever has the {@link #turn} of the
 * cell.
 */
final class CellHost {
  private static final long PAUSE_MILLIS = 5;

  private final int index;
  private final Hosting hosting;
  private final Turn turn;
  private final Alarms.Alarm alarm;
  private final CellCopy copy;
  private final Arrivals arrivals;
  private final Execution execution;
  private final Securing owner;
  private final Repeating replica;
  private final Claim claim = new Claim();

  /** The cell came as an image from its owner, who cedes it. */
  private boolean movedHere;

  CellHost(int index, Hosting hosting) {
    this.index = index;
    this.hosting = hosting;
    this.turn = new Turn(task -> hosting.run(index, task));
    this.alarm = hosting.alarms().new Alarm(() -> turn.later(this::wakeUp));
    this.copy = new CellCopy(hosting.ticker());
    this.arrivals = new Arrivals(index, hosting, turn, this::step);
    this.execution = new Execution(index, copy, arrivals, hosting.browsing());
    this.owner = new Securing(index, hosting, turn, copy, execution);
    this.replica = new Repeating(index, hosting, copy);
  }

  /** The right to touch the cell. */
  Turn turn() {
    return turn;
  }

  /** The cell of a space that is founded. */
  void found(Cell founded) {
    copy.put(founded);
    owner.begin();
    copy.own();
  }

  /** A cell that nobody has hosted since it was kept, or a new one that is to be kept. */
  void restart(Cell kept, Input.Restart restart) {
    found(kept);
    copy.goOnInTime();
    execution.beginWith(Optional.of(restart));
    execution.wakeUp();
  }

  /** Does what is due, if it was restarted. */
  void begin() {
    if (execution.hasToBegin()) {
      arrivals.stepSoon();
    }
  }

  /** Takes a message for the cell; on any thread. */
  void arrive(Message message) {
    arrivals.add(message);
  }

  private void wakeUp() {
    alarm.cancel();
    execution.wakeUp();
    step();
  }

  private void step() {
    arrivals.beginStep();
    Roster roster = hosting.roster();
    if (!roster.isOwn(index)) {
      arrivals.forward();
    } else if (roster.isMoving(index) || hosting.keeping().isHeldUp()) {
      hosting.alarms().soon(arrivals::stepLater, PAUSE_MILLIS);
    } else if (!copy.isOwned() && isDurable()) {
      hosting.claims().want(index);
    } else if (!copy.isOwned()) {
      arrivals.refuse();
    } else {
      owner.act();
      if (!arrivals.isEmpty()) {
        arrivals.stepSoon();
      }
      alarm.set(copy.cell().nextDeadline(), copy.time());
    }
  }

  private boolean isDurable() {
    return hosting.keeping().isDurable();
  }

  /** Whether this member should have the cell and does not: nobody has it any more. */
  boolean isLost() {
    return !copy.isOwned() && hosting.roster().isOwn(index) && !hosting.roster().isMoving(index);
  }

  /** Whether something that the cell said waits; on any thread, and perhaps a moment late. */
  boolean withholds() {
    return owner.withholds();
  }

  /** Looks whether what is withheld may go. */
  void check() {
    owner.check();
  }

  /** The replica has the inputs up to the number. */
  void replicated(Address member, long number) {
    owner.replicated(member, number);
  }

  /** The replica wants an image of the cell. */
  void sendImage(Address member) {
    owner.sendImage(member);
  }

  /** Repeats what the owner did. */
  void repeat(Address member, Word.Inputs word) {
    replica.repeat(member, word);
  }

  /** A part of an image, sent because this replica asked for it. */
  void repair(Address member, Word.Chunk chunk) {
    replica.repair(member, chunk);
  }

  /**
   * An image of the cell is wanted in place of its inputs.
   *
   * @return complete when it is there, or will not be
   */
  CompletableFuture<Void> keepImage() {
    if (copy.isOwned()) {
      return hosting.keeping().keepImage(copy.cell(), index);
    }
    hosting.keeping().noImage(index);
    return CompletableFuture.completedFuture(null);
  }

  /** Which of the digests the entries of the cell name; empty if the cell is not here now. */
  Optional<Set<String>> named(Set<String> digests) {
    return copy.isOwned() ? Optional.of(copy.cell().named(digests)) : Optional.empty();
  }

  /** Complete when the cell is not being claimed; any thread may wait for it. */
  CompletableFuture<Void> claimOver() {
    return claim.over();
  }

  /**
   * The image of the cell for a member that is to have it, or a replica of it; empty if the cell is
   * not here.
   */
  List<Word.Chunk> image() {
    if (copy.isOwned() && execution.hasToBegin()) {
      owner.act(); // nobody tells the cell later that it had another host before
    }
    return copy.ifHere()
        .map(
            cell ->
                copy.isOwned()
                    ? Image.of(cell, copy.time(), true)
                    : Image.of(cell, cell.nowNanos(), false))
        .orElse(List.of());
  }

  /** The cell is about to come here, or to be owned here: images of before are no part of that. */
  void expectMove() {
    movedHere = false;
  }

  /**
   * A part of an image that the owner sends because the cell, or a replica of it, is to be here.
   */
  void moveHere(Word.Chunk chunk) {
    if (!copy.isOwned() && !claim.isUnderWay() && replica.move(chunk)) {
      hosting.outlet().doubt(index);
      movedHere = chunk.owned();
    }
  }

  /** From now on this member owns the cell: it has come from its owner, or that one is lost. */
  void becomeOwner() {
    if (isDurable()) {
      owner.forget();
      hosting.claims().want(index);
    } else if (copy.isHere()) {
      own(!movedHere);
      owner.forget();
    }
  }

  private void own(boolean takenOver) {
    execution.beginWith(takenOver ? Optional.of(new Input.TakeOver()) : Optional.empty());
    if (takenOver) {
      copy.goOnInTime();
    }
    movedHere = false;
    copy.own();
    execution.wakeUp();
    arrivals.stepSoon();
  }

  /** Gives away what is here of the cell, if this member is to have the cell and has it not. */
  Optional<Claims.Unclaimed> beginClaim() {
    return claim.isUnderWay() || !isLost() ? Optional.empty() : Optional.of(claim.begin(copy));
  }

  /** The claim came to nothing, and is tried again. */
  void claimFailed(Claims.Unclaimed unclaimed) {
    if (claim.end(unclaimed.number())) {
      unclaimed.copy().ifPresent(copy::put);
    }
  }

  /** From now on this member owns the cell, which is so in storage. */
  void claimed(long number, Cell now) {
    if (claim.end(number) && hosting.roster().isOwn(index)) {
      boolean ceded = movedHere && claim.isAsBefore(now);
      copy.put(now);
      owner.begin();
      own(!ceded);
    } else {
      hosting.keeping().release(index);
    }
  }

  /** Another member owns the cell; here a replica of it may stay. */
  void cedeOwnership(boolean keepsReplica) {
    endOwnership();
    movedHere = false;
    alarm.cancel();
    owner.forget();
    if (!keepsReplica) {
      drop();
    }
    arrivals.stepSoon();
  }

  /** This member has a replica now. */
  void becomeReplica() {
    movedHere = false;
  }

  /** Forgets the cell: other members have it. */
  void drop() {
    endOwnership();
    copy.remove();
    execution.beginWith(Optional.empty());
    movedHere = false;
    replica.forget();
    alarm.cancel();
    owner.forget();
  }

  private void endOwnership() {
    if (copy.isOwned()) {
      hosting.keeping().release(index);
    }
    copy.disown();
    claim.abandon();
  }
}

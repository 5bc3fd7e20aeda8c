package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.core.Browse;
import io.gleaner.space.core.Caller;
import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.InputCodec;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One cell on this member, if it is here: as its owner it carries out what arrives, as its replica
 * it repeats what the owner did. All but {@link #arrive}, {@link #isLost} and {@link #withholds} is
 * for whoever has the {@link #turn} of the cell.
 *
 * <p>The owner numbers its inputs and carries them out at once; what follows from them is withheld
 * until they are safe. Arrivals of the meantime go together. Without storage the replica makes them
 * safe, and answers whoever asked at its member ({@link Deputy}). With storage an owner claims the
 * cell there first, and inputs are safe when they are there; the replica then gets what is safe
 * already, so each copy of a cell is as the cell was at some time in storage, and a new owner reads
 * only what came after.
 */
final class CellHost {
  private static final Logger LOG = LoggerFactory.getLogger(CellHost.class);
  private static final int INPUTS_AT_ONCE = 256;
  private static final long BYTES_AT_ONCE = 1 << 20;
  private static final long PAUSE_MILLIS = 5;
  private static final long SIGN_AFTER_NANOS = 500_000_000L;
  private static final long SURE_AFTER_NANOS = 3_000_000_000L;
  private static final long IMAGE_PATIENCE_NANOS = 3_000_000_000L;
  private static final int MOST_BRIEF = 8;
  private static final byte[] NOTHING = {};
  private static final long[] NO_QUESTIONS = {};

  private final int index;
  private final Hosting hosting;
  private final Queue<Message> arrivals = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean stepping = new AtomicBoolean();
  private final Turn turn;
  private final Withheld withheld = new Withheld();
  private final Alarms.Alarm alarm;
  private final Image arriving = new Image();

  private Cell cell;
  private volatile boolean owning;
  private volatile boolean withholding;

  /** What the cell is told first, if it had another host before. */
  private Optional<Input.Step> begins = Optional.empty();

  private boolean wakesUp;

  /** The replica that answers whoever asked at its member. */
  private Optional<Address> deputy = Optional.empty();

  /** What the member's clock has to be moved on by so that the cell's time never goes back. */
  private long clockOffset;

  private long signAskedNanos;
  private long imageAskedNanos;
  private boolean imageAsked;

  /** The cell came as an image from its owner, who cedes it. */
  private boolean movedHere;

  /** Names the claim that is under way; changes when it is none any more. */
  private long claim;

  /** A claim of this number is under way; the cell is with it. */
  private boolean claiming;

  private long inputsWhenClaimed;

  CellHost(int index, Hosting hosting) {
    this.index = index;
    this.hosting = hosting;
    this.turn = new Turn(task -> hosting.run(index, task));
    this.alarm = hosting.alarms().new Alarm(() -> turn.later(this::wakeUp));
  }

  /** The right to touch the cell. */
  Turn turn() {
    return turn;
  }

  /** The cell of a space that is founded. */
  void found(Cell founded) {
    cell = founded;
    withheld.begin(cell.inputs());
    owning = true;
  }

  /** A cell that nobody has hosted since it was kept, or a new one that is to be kept. */
  void restart(Cell kept, Input.Restart restart) {
    cell = kept;
    withheld.begin(cell.inputs());
    clockOffset = cell.inputs() == 0 ? 0 : cell.nowNanos() - hosting.ticker().nanos();
    owning = true;
    begins = Optional.of(restart);
    wakesUp = true;
  }

  /** Does what is due, if it was restarted. */
  void begin() {
    if (begins.isPresent()) {
      stepSoon();
    }
  }

  /** An image of the cell is wanted in place of its inputs. */
  void keepImage() {
    if (owning) {
      hosting.keeping().keepImage(cell, index);
    } else {
      hosting.keeping().noImage(index);
    }
  }

  /** Which of the digests the entries of the cell name; empty if the cell is not here now. */
  Optional<Set<String>> named(Set<String> digests) {
    return owning ? Optional.of(cell.named(digests)) : Optional.empty();
  }

  /** Takes a message for the cell; on any thread. */
  void arrive(Message message) {
    arrivals.add(message);
    if (isBrief(message)) {
      stepSoon();
    } else {
      stepLater();
    }
  }

  /** Whether the thread that brings the message may carry it out; it may be one of the network. */
  private static boolean isBrief(Message message) {
    if (message instanceof Message.Request request) {
      Command command = request.command();
      return !(command instanceof Command.Contents)
          && !(command instanceof Command.Write write && write.entries().size() > MOST_BRIEF)
          && !(command instanceof Command.Match match && match.limit() > MOST_BRIEF);
    }
    return !(message instanceof Message.Look);
  }

  private void stepSoon() {
    if (stepping.compareAndSet(false, true)) {
      turn.soon(this::step);
    }
  }

  private void stepLater() {
    if (stepping.compareAndSet(false, true)) {
      turn.later(this::step);
    }
  }

  /** Whether this member should have the cell and does not: nobody has it any more. */
  boolean isLost() {
    return !owning && hosting.roster().isOwn(index) && !hosting.roster().isMoving(index);
  }

  private long time() {
    return hosting.ticker().nanos() + clockOffset;
  }

  private void wakeUp() {
    alarm.cancel();
    wakesUp = true;
    step();
  }

  private void step() {
    stepping.set(false);
    Roster roster = hosting.roster();
    if (!roster.isOwn(index)) {
      forward();
    } else if (roster.isMoving(index) || hosting.keeping().isHeldUp()) {
      hosting.alarms().soon(this::stepLater, PAUSE_MILLIS);
    } else if (!owning && isDurable()) {
      hosting.claims().want(index);
    } else if (!owning) {
      refuse();
    } else {
      act(roster.replicaOf(index));
      if (!arrivals.isEmpty()) {
        stepSoon();
      }
      alarm.set(cell.nextDeadline(), time());
    }
  }

  private boolean isDurable() {
    return hosting.keeping().isDurable();
  }

  private void act(Optional<Address> replica) {
    if (isDurable()) {
      actDurably(replica);
      return;
    }
    long now = time();
    deputy = replica;
    if (replica.isEmpty()) {
      withheld.replicated(cell.inputs());
      withheld.kept(cell.inputs());
      Outbox out = hosting.outlet();
      carryOut(now, out, out, null);
      return;
    }
    Withheld.Collecting outputs = new Withheld.Collecting(hosting.outlet());
    List<Input> inputs = new ArrayList<>();
    carryOut(now, outputs, outputs, inputs);
    // What was only looked at leaves when that is safe: with the inputs up to now.
    long last = cell.inputs();
    if (!outputs.isEmpty()) {
      withheld.add(last, hosting.ticker().nanos(), outputs);
    }
    withholding = true;
    withheld.kept(last);
    if (!inputs.isEmpty()) {
      tell(replica.get(), inputs);
    } else if (!withheld.isEmpty()) {
      askForSign(replica.get());
    }
    withheld.release();
  }

  private static Word.Inputs word(List<Input> inputs, long[] questions, boolean waiting) {
    return new Word.Inputs(inputs.get(0).number(), InputCodec.encode(inputs), questions, waiting);
  }

  private void actDurably(Optional<Address> replica) {
    Withheld.Collecting outputs = new Withheld.Collecting(hosting.outlet());
    // Where others would go on without what was not kept, all answers wait.
    Withheld.Collecting sooner = hosting.roster().isAlone() ? outputs.answers() : outputs;
    List<Input> inputs = new ArrayList<>();
    carryOut(time(), outputs, sooner, inputs);
    if (inputs.isEmpty() && outputs.isEmpty() && sooner.isEmpty()) {
      return;
    }
    long last = cell.inputs();
    withheld.add(last, hosting.ticker().nanos(), outputs);
    if (sooner != outputs && !sooner.isEmpty()) {
      withheld.addSooner(last, hosting.ticker().nanos(), sooner);
    }
    withholding = true;
    if (!inputs.isEmpty()) {
      Optional<Word.Inputs> word = replica.map(member -> word(inputs, NO_QUESTIONS, false));
      hosting.keeping().keep(index, inputs, () -> turn.soon(() -> kept(last, word)));
      // What another cell of this member does next is kept after this, or not at all.
      outputs.sendLettersTo(hosting.roster()::isOwn, hosting.outlet()::bring);
    }
    withheld.replicated(last);
    withheld.release();
  }

  /** The inputs up to the number are in storage; the replica may have them. */
  private void kept(long last, Optional<Word.Inputs> word) {
    if (owning && word.isPresent()) {
      hosting
          .roster()
          .replicaOf(index)
          .ifPresent(member -> hosting.post().send(member, index, word.get()));
    }
    // An image that was held back for these inputs comes behind them.
    withheld.kept(last);
  }

  private void tell(Address replica, List<Input> inputs) {
    withheld.told(cell.inputs(), hosting.ticker().nanos());
    hosting
        .post()
        .send(replica, index, word(inputs, questionsOf(inputs, replica), !withheld.isEmpty()));
  }

  /** What was asked at the member of the replica, which answers it. */
  private static long[] questionsOf(List<Input> inputs, Address replica) {
    long[] questions = NO_QUESTIONS;
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).step() instanceof Input.Deliver deliver
          && Outlet.callerOf(deliver.message()) instanceof Asker asker
          && asker.member().equals(replica)) {
        questions = questions.length == 0 ? new long[inputs.size()] : questions;
        questions[i] = asker.question();
      }
    }
    return questions;
  }

  /**
   * Carries out what is there; notes the inputs unless there is nobody to tell.
   *
   * @param sooner gets the answers that need not wait until their input is kept
   */
  private void carryOut(long now, Outbox out, Outbox sooner, List<Input> inputs) {
    if (begins.isPresent()) {
      apply(begins.get(), now, out, inputs);
      begins = Optional.empty();
    }
    int count = 0;
    long bytes = 0;
    for (Message next = arrivals.poll(); next != null; next = arrivals.poll()) {
      if (next instanceof Message.Look look) {
        look(look, now, out, sooner, inputs);
      } else if (!browses(next)) {
        boolean waits =
            sooner == out || !cell.concernsTransientOnly(next, Math.max(now, cell.nowNanos()));
        apply(new Input.Deliver(next), now, waits ? out : sooner, inputs);
        wakesUp = false; // every input does what is due
        bytes += bytesOf(next);
      }
      if (++count == INPUTS_AT_ONCE || bytes >= BYTES_AT_ONCE) {
        return;
      }
    }
    if (wakesUp) {
      wakesUp = false;
      apply(new Input.WakeUp(), now, out, inputs);
    }
  }

  private void look(Message.Look look, long now, Outbox out, Outbox sooner, List<Input> inputs) {
    if (cell.nextDeadline() <= now) {
      apply(new Input.WakeUp(), now, out, inputs);
      wakesUp = false;
    }
    boolean waits = !look.bucket().type().transientEntries();
    (waits ? out : sooner).answer(look.caller(), cell.look(look));
  }

  /** Carries the message out without an input, if it can be. */
  private boolean browses(Message message) {
    Optional<Browse> browse =
        message instanceof Message.Request request ? cell.browse(request) : Optional.empty();
    browse.ifPresent(each -> hosting.browsing().goOn(Outlet.callerOf(message), each));
    return browse.isPresent();
  }

  private static long bytesOf(Message message) {
    List<EncodedEntry> entries = List.of();
    if (message instanceof Message.Request request
        && request.command() instanceof Command.Write write) {
      entries = write.entries();
    } else if (message instanceof Message.Letter letter
        && letter.content() instanceof Message.Put put) {
      entries = put.entries();
    }
    long bytes = 0;
    for (EncodedEntry entry : entries) {
      bytes += entry.sizeBytes();
    }
    return bytes;
  }

  private void apply(Input.Step what, long now, Outbox out, List<Input> inputs) {
    Input input = new Input(cell.inputs() + 1, Math.max(now, cell.nowNanos()), what);
    if (inputs != null) {
      inputs.add(input);
    }
    try {
      cell.apply(input, deputy.isPresent() ? Deputy.ofOwner(out, deputy.get()) : out);
    } catch (RuntimeException e) {
      LOG.error("cell {} failed on {}", index, what, e);
    }
  }

  private void forward() {
    for (Message next = arrivals.poll(); next != null; next = arrivals.poll()) {
      Message message = next;
      if (isDurable() && Outlet.isOfCells(message)) {
        // It may have been sent before its cause was kept.
        var unused =
            hosting.keeping().allSoFar().thenRun(() -> hosting.outlet().send(index, message));
      } else {
        hosting.outlet().forward(index, message);
      }
    }
  }

  private void refuse() {
    Reply refusal = new Reply.Refused(Reply.Refusal.UNAVAILABLE, hosting.lossMessage());
    for (Message next = arrivals.poll(); next != null; next = arrivals.poll()) {
      Caller caller = Outlet.callerOf(next);
      if (caller != Caller.NOBODY) {
        hosting.outlet().answer(caller, refusal);
      }
    }
  }

  /** The replica has the inputs up to the number. */
  void replicated(Address member, long number) {
    if (owning
        && cell != null
        && hosting.roster().replicaOf(index).filter(member::equals).isPresent()) {
      withheld.replicated(Math.min(number, cell.inputs()));
    }
  }

  /** Whether something waits for the replica; on any thread, and perhaps a moment late. */
  boolean withholds() {
    return withholding;
  }

  /** Looks whether what is withheld may go, and asks a silent replica for a sign. */
  void check() {
    long now = hosting.ticker().nanos();
    withholding = !withheld.isEmpty() || withheld.isUnsure(now);
    if (!withholding) {
      return;
    }
    if (!owning || !hosting.roster().isOwn(index)) {
      withheld.forget();
      return;
    }
    if (isDurable()) {
      return;
    }
    Optional<Address> replica = hosting.roster().replicaOf(index);
    if (replica.isEmpty()) {
      withheld.replicated(cell.inputs());
    } else if ((withheld.waitsSince(now - SIGN_AFTER_NANOS)
            || withheld.isUnsure(now - SURE_AFTER_NANOS))
        && now - signAskedNanos >= SIGN_AFTER_NANOS) {
      signAskedNanos = now;
      askForSign(replica.get());
    }
  }

  private void askForSign(Address replica) {
    hosting
        .post()
        .send(replica, index, new Word.Inputs(cell.inputs() + 1, NOTHING, NO_QUESTIONS, true));
  }

  /** Repeats what the owner did. */
  void repeat(Address owner, Word.Inputs word) {
    if (owning
        || !hosting.roster().isReplicaHere(index)
        || hosting.roster().ownerOf(index).filter(owner::equals).isEmpty()) {
      return;
    }
    if (cell == null || word.first() != cell.inputs() + 1) {
      askForImage(owner);
      return;
    }
    if (word.inputs().length > 0) {
      Address here = hosting.roster().here();
      Outbox answers = Deputy.ofReplica(hosting.outlet(), here);
      List<Input> inputs = InputCodec.decode(word.inputs());
      for (int i = 0; i < inputs.size(); i++) {
        long question = word.questions().length == 0 ? 0 : word.questions()[i];
        Input input = inputs.get(i);
        repeat(question == 0 ? input : Outlet.asked(input, new Asker(here, question)), answers);
      }
    }
    if (word.waiting()) {
      hosting.post().send(owner, index, new Word.Applied(cell.inputs()));
    }
  }

  private void repeat(Input input, Outbox answers) {
    try {
      cell.apply(input, answers);
    } catch (RuntimeException e) {
      LOG.error("the replica of cell {} failed on {}", index, input.step(), e);
    }
  }

  private void askForImage(Address owner) {
    long now = hosting.ticker().nanos();
    if (!imageAsked || now - imageAskedNanos >= IMAGE_PATIENCE_NANOS) {
      imageAsked = true;
      imageAskedNanos = now;
      LOG.info(
          "the replica of cell {} has a gap after {}; it asks for an image",
          index,
          cell == null ? "nothing" : cell.inputs());
      hosting.post().send(owner, index, new Word.WantImage());
    }
  }

  /** The replica wants an image of the cell. */
  void sendImage(Address member) {
    if (owning && hosting.roster().replicaOf(index).filter(member::equals).isPresent()) {
      List<Word.Chunk> chunks = image();
      Runnable send = () -> chunks.forEach(chunk -> hosting.post().send(member, index, chunk));
      if (isDurable()) {
        withheld.whenSafe(cell.inputs(), hosting.ticker().nanos(), hosting.outlet(), send);
      } else {
        send.run();
      }
    }
  }

  /** The image of the cell for another member; empty if the cell is not here. */
  List<Word.Chunk> image() {
    return cell == null ? List.of() : Image.of(cell, owning ? time() : cell.nowNanos());
  }

  /** A part of an image, sent because this replica asked for it. */
  void repair(Address owner, Word.Chunk chunk) {
    if (!owning
        && hosting.roster().isReplicaHere(index)
        && hosting.roster().ownerOf(index).filter(owner::equals).isPresent()
        && complete(chunk)) {
      hosting.post().send(owner, index, new Word.Applied(cell.inputs()));
    }
  }

  /** The cell is about to come here, or to be owned here: images of before are no part of that. */
  void expectMove() {
    movedHere = false;
  }

  /**
   * A part of an image that the owner sends because the cell, or a replica of it, is to be here.
   */
  void moveHere(Word.Chunk chunk) {
    Cell before = cell;
    if (owning || claiming || !complete(chunk)) {
      return;
    }
    movedHere = true;
    if (before != null && before.inputs() > cell.inputs() && !hosting.roster().isMoving(index)) {
      // The owner went on while the image was on its way, and has heard that the rest is here.
      cell = before;
      hosting.roster().ownerOf(index).ifPresent(this::askForImage);
    }
  }

  private boolean complete(Word.Chunk chunk) {
    Optional<Image.Arrived> arrived = arriving.add(chunk);
    arrived.ifPresent(
        image -> {
          cell = image.cell();
          clockOffset = image.timeNanos() - hosting.ticker().nanos();
          imageAsked = false;
        });
    return arrived.isPresent();
  }

  /** From now on this member owns the cell: it has come from its owner, or that one is lost. */
  void becomeOwner() {
    if (isDurable()) {
      withheld.forget();
      hosting.claims().want(index);
    } else if (cell != null) {
      own(!movedHere);
      withheld.forget();
    }
  }

  private void own(boolean takenOver) {
    begins = takenOver ? Optional.of(new Input.TakeOver()) : Optional.empty();
    if (takenOver && cell.inputs() > 0) {
      clockOffset = cell.nowNanos() - hosting.ticker().nanos();
    }
    movedHere = false;
    owning = true;
    wakesUp = true;
    stepSoon();
  }

  /** Gives away what is here of the cell, if this member is to have the cell and has it not. */
  Optional<Claims.Unclaimed> beginClaim() {
    if (claiming || !isLost()) {
      return Optional.empty();
    }
    claiming = true;
    Optional<Cell> copy = Optional.ofNullable(cell);
    inputsWhenClaimed = copy.map(Cell::inputs).orElse(0L);
    cell = null;
    return Optional.of(new Claims.Unclaimed(++claim, copy));
  }

  /** The claim came to nothing, and is tried again. */
  void claimFailed(Claims.Unclaimed unclaimed) {
    if (endsClaim(unclaimed.number())) {
      cell = unclaimed.copy().orElse(null);
    }
  }

  /** From now on this member owns the cell, which is so in storage. */
  void claimed(long number, Cell now) {
    if (endsClaim(number) && hosting.roster().isOwn(index)) {
      boolean ceded = movedHere && now.inputs() == inputsWhenClaimed;
      cell = now;
      withheld.begin(cell.inputs());
      own(!ceded);
    } else {
      hosting.keeping().release(index);
    }
  }

  private boolean endsClaim(long number) {
    if (!claiming || claim != number) {
      return false;
    }
    claiming = false;
    return true;
  }

  /** Another member owns the cell; here a replica of it may stay. */
  void cedeOwnership(boolean keepsReplica) {
    endOwnership();
    movedHere = false;
    alarm.cancel();
    withheld.forget();
    if (!keepsReplica) {
      drop();
    }
    stepSoon();
  }

  /** This member has a replica now. */
  void becomeReplica() {
    movedHere = false;
  }

  /** Forgets the cell: other members have it. */
  void drop() {
    endOwnership();
    cell = null;
    begins = Optional.empty();
    movedHere = false;
    imageAsked = false;
    alarm.cancel();
    withheld.forget();
  }

  private void endOwnership() {
    if (owning) {
      hosting.keeping().release(index);
    }
    owning = false;
    claiming = false;
  }
}

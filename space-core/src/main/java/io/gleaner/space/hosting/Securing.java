package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.InputCodec;
import io.gleaner.space.core.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The owner of a cell: it numbers inputs, carries them out at once, and withholds what follows from
 * them until they are safe. Arrivals of the meantime go together. Without storage the replica makes
 * them safe, and answers whoever asked at its member ({@link Deputy}). With storage they are safe
 * when they are there; the replica then gets what is safe already, so each copy of a cell is as the
 * cell was at some time in storage, and a new owner reads only what came after.
 *
 * <p>All but {@link #withholds} is for whoever has the turn of the cell.
 */
final class Securing {
  private static final long SIGN_AFTER_NANOS = 500_000_000L;
  private static final long SURE_AFTER_NANOS = 3_000_000_000L;
  private static final byte[] NOTHING = {};
  private static final long[] NO_QUESTIONS = {};

  private final int index;
  private final Hosting hosting;
  private final Turn turn;
  private final CellCopy copy;
  private final Execution execution;
  private final Withheld withheld = new Withheld();
  private volatile boolean withholding;
  private long signAskedNanos;

  Securing(int index, Hosting hosting, Turn turn, CellCopy copy, Execution execution) {
    this.index = index;
    this.hosting = hosting;
    this.turn = turn;
    this.copy = copy;
    this.execution = execution;
  }

  /** The cell begins here; all its inputs so far are safe. */
  void begin() {
    withheld.begin(copy.cell().inputs());
  }

  /** Another member goes on with the cell, or this one went on with what it had. */
  void forget() {
    withheld.forget();
  }

  /** Carries out what there is to do. */
  void act() {
    Optional<Address> replica = hosting.roster().replicaOf(index);
    if (hosting.keeping().isDurable()) {
      actDurably(replica);
    } else {
      actBeside(replica);
    }
  }

  private void actBeside(Optional<Address> replica) {
    execution.answerThrough(replica);
    if (replica.isEmpty()) {
      withheld.replicated(copy.cell().inputs());
      withheld.kept(copy.cell().inputs());
      Outbox out = hosting.outlet();
      execution.carryOut(out, out, null);
      return;
    }
    Withheld.Collecting outputs = new Withheld.Collecting(hosting.outlet());
    List<Input> inputs = new ArrayList<>();
    execution.carryOut(outputs, outputs, inputs);
    // What was only looked at leaves when that is safe: with the inputs up to now.
    long last = copy.cell().inputs();
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

  private void actDurably(Optional<Address> replica) {
    Withheld.Collecting outputs = new Withheld.Collecting(hosting.outlet());
    // Where others would go on without what was not kept, all answers wait.
    Withheld.Collecting sooner = hosting.roster().isAlone() ? outputs.answers() : outputs;
    List<Input> inputs = new ArrayList<>();
    execution.carryOut(outputs, sooner, inputs);
    if (inputs.isEmpty() && outputs.isEmpty() && sooner.isEmpty()) {
      return;
    }
    long last = copy.cell().inputs();
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

  private static Word.Inputs word(List<Input> inputs, long[] questions, boolean waiting) {
    return new Word.Inputs(inputs.get(0).number(), InputCodec.encode(inputs), questions, waiting);
  }

  /** The inputs up to the number are in storage; the replica may have them. */
  private void kept(long last, Optional<Word.Inputs> word) {
    if (copy.isOwned() && word.isPresent()) {
      hosting.roster().replicaOf(index).ifPresent(member -> send(member, word.get()));
    }
    // An image that was held back for these inputs comes behind them.
    withheld.kept(last);
  }

  private void tell(Address replica, List<Input> inputs) {
    withheld.told(copy.cell().inputs(), hosting.ticker().nanos());
    send(replica, word(inputs, questionsOf(inputs, replica), !withheld.isEmpty()));
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

  private void send(Address member, Word word) {
    hosting.post().send(member, index, word);
  }

  /** The replica has the inputs up to the number. */
  void replicated(Address member, long number) {
    if (copy.isOwned() && isReplica(member)) {
      withheld.replicated(Math.min(number, copy.cell().inputs()));
    }
  }

  private boolean isReplica(Address member) {
    return hosting.roster().replicaOf(index).filter(member::equals).isPresent();
  }

  /** Whether something waits to be safe; on any thread, and perhaps a moment late. */
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
    if (!copy.isOwned() || !hosting.roster().isOwn(index)) {
      withheld.forget();
      return;
    }
    if (hosting.keeping().isDurable()) {
      return;
    }
    Optional<Address> replica = hosting.roster().replicaOf(index);
    if (replica.isEmpty()) {
      withheld.replicated(copy.cell().inputs());
    } else if ((withheld.waitsSince(now - SIGN_AFTER_NANOS)
            || withheld.isUnsure(now - SURE_AFTER_NANOS))
        && now - signAskedNanos >= SIGN_AFTER_NANOS) {
      signAskedNanos = now;
      askForSign(replica.get());
    }
  }

  private void askForSign(Address replica) {
    send(replica, new Word.Inputs(copy.cell().inputs() + 1, NOTHING, NO_QUESTIONS, true));
  }

  /** The replica has a gap and wants an image of the cell. */
  void sendImage(Address member) {
    if (copy.isOwned() && isReplica(member)) {
      List<Word.Chunk> chunks = Image.of(copy.cell(), copy.time(), true);
      Runnable send = () -> chunks.forEach(chunk -> send(member, chunk));
      if (hosting.keeping().isDurable()) {
        withheld.whenSafe(copy.cell().inputs(), hosting.ticker().nanos(), hosting.outlet(), send);
      } else {
        send.run();
      }
    }
  }
}

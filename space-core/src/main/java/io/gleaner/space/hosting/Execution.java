package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.core.Browse;
import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Outbox;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out, at the owner of a cell, what there is to do: the first input under a new host, what
 * has arrived, what is due. For whoever has the turn of the cell.
 */
final class Execution {
  private static final Logger LOG = LoggerFactory.getLogger(Execution.class);
  private static final int INPUTS_AT_ONCE = 256;
  private static final long BYTES_AT_ONCE = 1 << 20;

  private final int index;
  private final CellCopy copy;
  private final Arrivals arrivals;
  private final Browsing browsing;

  /** What the cell is told first, if it had another host before. */
  private Optional<Input.Step> begins = Optional.empty();

  private boolean wakesUp;

  /** The replica that answers whoever asked at its member. */
  private Optional<Address> deputy = Optional.empty();

  Execution(int index, CellCopy copy, Arrivals arrivals, Browsing browsing) {
    this.index = index;
    this.copy = copy;
    this.arrivals = arrivals;
    this.browsing = browsing;
  }

  /** The cell is told this before anything else. */
  void beginWith(Optional<Input.Step> step) {
    begins = step;
  }

  boolean hasToBegin() {
    return begins.isPresent();
  }

  /** Something may be due. */
  void wakeUp() {
    wakesUp = true;
  }

  void answerThrough(Optional<Address> replica) {
    deputy = replica;
  }

  /**
   * Carries out what is there; notes the inputs unless there is nobody to tell.
   *
   * @param sooner gets the answers that need not wait until their input is kept
   * @param inputs null if there is nobody to tell
   */
  void carryOut(Outbox out, Outbox sooner, List<Input> inputs) {
    Cell cell = copy.cell();
    long now = copy.time();
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
    if (copy.cell().nextDeadline() <= now) {
      apply(new Input.WakeUp(), now, out, inputs);
      wakesUp = false;
    }
    boolean waits = !look.bucket().type().transientEntries();
    (waits ? out : sooner).answer(look.caller(), copy.cell().look(look));
  }

  /** Carries the message out without an input, if it can be. */
  private boolean browses(Message message) {
    Optional<Browse> browse =
        message instanceof Message.Request request ? copy.cell().browse(request) : Optional.empty();
    browse.ifPresent(each -> browsing.goOn(Outlet.callerOf(message), each));
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
    Cell cell = copy.cell();
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
}

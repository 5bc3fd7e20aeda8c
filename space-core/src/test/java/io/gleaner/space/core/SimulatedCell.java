package io.gleaner.space.core;

import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * A cell with its replica, its image on disk and its inputs since. What it says is held back until
 * the input from which it follows is secured: applied by the replica and written to disk.
 */
final class SimulatedCell {

  /** An input of which only the owner knows, and what follows from it. */
  private record Unsecured(byte[] input, List<Runnable> said, long digest) {}

  private final Outbox network;
  private final Limits limits;
  private Cell owner;
  private Cell replica;
  private List<byte[]> image;
  private final List<byte[]> inputs = new ArrayList<>();
  private final Deque<Unsecured> unsecured = new ArrayDeque<>();

  SimulatedCell(Cell empty, Limits limits, Outbox network) {
    this.owner = empty;
    this.network = network;
    this.limits = limits;
    this.image = imageOf(owner);
    this.replica = Cell.load(image.iterator());
  }

  Cell owner() {
    return owner;
  }

  static List<byte[]> imageOf(Cell cell) {
    List<byte[]> chunks = new ArrayList<>();
    cell.save(chunks::add);
    return chunks;
  }

  void input(Input.Step step, long nanos) {
    input(step, nanos, false);
  }

  void input(Input.Step step, long nanos, boolean speaksTooEarly) {
    Input input = new Input(owner.inputs() + 1, nanos, step);
    Saying saying = new Saying();
    owner.apply(input, saying);
    if (speaksTooEarly) {
      saying.released.forEach(Runnable::run);
      saying.released.clear();
    }
    unsecured.add(new Unsecured(InputCodec.encode(List.of(input)), saying.released, saying.digest));
  }

  boolean isSecured() {
    return unsecured.isEmpty();
  }

  /** The oldest input that only the owner knew is known elsewhere, too. */
  void secure() {
    Unsecured oldest = unsecured.remove();
    inputs.add(oldest.input());
    Saying again = new Saying();
    InputCodec.decode(oldest.input()).forEach(input -> replica.apply(input, again));
    Account.require(again.digest == oldest.digest(), () -> "a replica says something else");
    oldest.said().forEach(Runnable::run);
  }

  void checkpoint() {
    compare();
    image = imageOf(replica);
    inputs.clear();
  }

  /** Owner and replica are the same to the byte where they have the same inputs. */
  void compare() {
    if (unsecured.isEmpty()) {
      same(imageOf(owner), imageOf(replica), "a replica differs");
    }
  }

  private static void same(List<byte[]> one, List<byte[]> other, String otherwise) {
    Account.require(
        Arrays.deepEquals(one.toArray(), other.toArray()), () -> otherwise + " from its owner");
  }

  /** The owner is lost, with all that was not secured. */
  void isTakenOver(long nanos) {
    unsecured.clear();
    owner = replica;
    replica = Cell.load(imageOf(owner).iterator());
    input(new Input.TakeOver(), nanos);
  }

  /** Owner and replica are lost; what is on disk goes on. */
  void isRestarted(long nanos, SimulatedSpace.Fault fault) {
    unsecured.clear();
    Cell last = replica;
    if (fault == SimulatedSpace.Fault.RESTARTS_FROM_IMAGES) {
      inputs.clear();
      last = fromDisk();
    }
    owner = fromDisk();
    same(imageOf(last), imageOf(owner), "what is on disk differs");
    replica = fromDisk();
    boolean keeps = fault == SimulatedSpace.Fault.KEEPS_TRANSIENT;
    input(keeps ? new Input.TakeOver() : new Input.Restart(limits, 0), nanos);
  }

  private Cell fromDisk() {
    Cell cell = Cell.load(image.iterator());
    same(image, imageOf(cell), "an image of what was loaded differs");
    inputs.forEach(
        bytes -> InputCodec.decode(bytes).forEach(each -> cell.apply(each, new Saying())));
    return cell;
  }

  /** What a cell says in one step, to be released later. */
  private final class Saying implements Outbox {
    final List<Runnable> released = new ArrayList<>();
    long digest;

    @Override
    public void send(int cell, Message message) {
      digest = digest * 31 + cell * 7L + Arrays.hashCode(InputCodec.encode(message));
      released.add(() -> network.send(cell, message));
    }

    @Override
    public void answer(Caller caller, Reply reply) {
      released.add(() -> network.answer(caller, reply));
    }

    @Override
    public void opened(Caller caller, long session, long leaseMillis) {
      released.add(() -> network.opened(caller, session, leaseMillis));
    }

    @Override
    public void closed(Caller caller) {
      released.add(() -> network.closed(caller));
    }

    @Override
    public void event(long session, SpaceEvent event) {
      digest = digest * 31 + session + event.hashCode();
      released.add(() -> network.event(session, event));
    }
  }
}

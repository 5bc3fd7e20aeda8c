package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.InputCodec;
import io.gleaner.space.core.Outbox;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replica of a cell: it repeats the inputs of its owner in their order, and where one is
 * missing it takes an image. For whoever has the turn of the cell.
 */
final class Repeating {
  private static final Logger LOG = LoggerFactory.getLogger(Repeating.class);
  private static final long IMAGE_PATIENCE_NANOS = 3_000_000_000L;

  private final int index;
  private final Hosting hosting;
  private final CellCopy copy;
  private final Image arriving = new Image();
  private long imageAskedNanos;
  private boolean imageAsked;

  Repeating(int index, Hosting hosting, CellCopy copy) {
    this.index = index;
    this.hosting = hosting;
    this.copy = copy;
  }

  /** Repeats what the owner did. */
  void repeat(Address owner, Word.Inputs word) {
    if (!isReplicaOf(owner)) {
      return;
    }
    if (!copy.isHere() || word.first() != copy.cell().inputs() + 1) {
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
      confirm(owner);
    }
  }

  private boolean isReplicaOf(Address owner) {
    return !copy.isOwned()
        && hosting.roster().isReplicaHere(index)
        && hosting.roster().ownerOf(index).filter(owner::equals).isPresent();
  }

  private void repeat(Input input, Outbox answers) {
    try {
      copy.cell().apply(input, answers);
    } catch (RuntimeException e) {
      LOG.error("the replica of cell {} failed on {}", index, input.step(), e);
    }
  }

  private void confirm(Address owner) {
    hosting.post().send(owner, index, new Word.Applied(copy.cell().inputs()));
  }

  private void askForImage(Address owner) {
    long now = hosting.ticker().nanos();
    if (!imageAsked || now - imageAskedNanos >= IMAGE_PATIENCE_NANOS) {
      imageAsked = true;
      imageAskedNanos = now;
      LOG.info(
          "the replica of cell {} has a gap after {}; it asks for an image",
          index,
          copy.isHere() ? copy.cell().inputs() : "nothing");
      hosting.post().send(owner, index, new Word.WantImage());
    }
  }

  /** A part of an image, sent because this replica asked for it. */
  void repair(Address owner, Word.Chunk chunk) {
    if (isReplicaOf(owner) && complete(chunk)) {
      // The owner left the answers to inputs that were not repeated here.
      hosting.outlet().doubt(index);
      confirm(owner);
    }
  }

  /**
   * A part of an image that the owner sends because the cell, or a replica of it, is to be here.
   *
   * @return whether the image is complete
   */
  boolean move(Word.Chunk chunk) {
    Optional<Cell> before = copy.ifHere();
    if (!complete(chunk)) {
      return false;
    }
    if (before.isPresent()
        && before.get().inputs() > copy.cell().inputs()
        && !hosting.roster().isMoving(index)) {
      // The owner went on while the image was on its way, and has heard that the rest is here.
      copy.put(before.get());
      hosting.roster().ownerOf(index).ifPresent(this::askForImage);
    }
    return true;
  }

  private boolean complete(Word.Chunk chunk) {
    Optional<Image.Arrived> arrived = arriving.add(chunk);
    arrived.ifPresent(
        image -> {
          copy.put(image);
          imageAsked = false;
        });
    return arrived.isPresent();
  }

  /** What was asked for is not awaited any more. */
  void forget() {
    imageAsked = false;
  }
}

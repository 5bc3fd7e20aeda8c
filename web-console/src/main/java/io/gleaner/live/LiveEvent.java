package io.gleaner.live;

import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.signin.Caller;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * One event as it goes out, encoded once for all streams.
 *
 * @param sequence its place in the order of this node's run
 * @param owner whose it is; empty if everybody may see it
 * @param bagId the bag it is about; empty for the market
 * @param frame the bytes of the event in the format of {@code text/event-stream}
 */
record LiveEvent(long sequence, Optional<String> owner, Optional<String> bagId, Buffer frame) {

  static LiveEvent of(
      String run,
      long sequence,
      String type,
      Optional<String> owner,
      Optional<String> bagId,
      Buffer json) {
    Buffer frame =
        Buffer.buffer("id: " + run + "-" + sequence + "\nevent: " + type + "\ndata: ")
            .appendBuffer(json)
            .appendString("\n\n");
    return new LiveEvent(sequence, owner, bagId, frame);
  }

  /** Whether the caller may see it and asked for it; the market goes to everybody. */
  boolean isFor(Caller caller, Optional<String> onlyBag) {
    boolean wanted = bagId.isEmpty() || onlyBag.isEmpty() || onlyBag.equals(bagId);
    return wanted
        && owner.map(its -> caller.may(Action.READ, Thing.of(Thing.BAG, its))).orElse(true);
  }
}

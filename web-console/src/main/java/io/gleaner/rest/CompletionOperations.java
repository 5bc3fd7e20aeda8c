package io.gleaner.rest;

import io.gleaner.bag.Bags;
import io.gleaner.blob.BlobStore;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.live.BagView;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The results of a bag as they come: in the order in which the tasks ended, from any place on,
 * small outputs along with them. A reader that keeps its place gets every result exactly once.
 */
public final class CompletionOperations {
  private static final int MOST = 1000;
  private static final int MOST_INLINE_BYTES = 64 * 1024;
  private static final long MOST_INLINE_BYTES_OF_PAGE = 1024 * 1024;

  private final Bags bags;
  private final VisibleBags visible;
  private final BlobStore blobs;
  private final InstantSource clock;
  private final OffLoop offLoop;

  /**
   * A task that ended.
   *
   * @param output its bytes, if it has any and they are short enough
   */
  record Completion(int place, Bags.TaskOutcome result, Optional<byte[]> output) {}

  /** Some completions, and the bag as it was just before they were read. */
  record CompletionList(BagView bag, List<Completion> completions) {}

  public CompletionOperations(
      Bags bags, VisibleBags visible, BlobStore blobs, InstantSource clock, OffLoop offLoop) {
    this.bags = bags;
    this.visible = visible;
    this.blobs = blobs;
    this.clock = clock;
    this.offLoop = offLoop;
  }

  void list(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String id = ctx.pathParam("id");
    int after = Requests.number(ctx, "after", 0, 0, Integer.MAX_VALUE - 1);
    int limit = Requests.number(ctx, "limit", 100, 1, MOST);
    int inlineBytes = Requests.number(ctx, "inline", 0, 0, MOST_INLINE_BYTES);
    offLoop
        .call(
            () -> {
              // The bag first: whatever it counts is found among the completions read after it.
              BagView bag = BagView.of(visible.require(caller, id), clock.instant());
              return new CompletionList(bag, read(id, after, limit, inlineBytes));
            })
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  private List<Completion> read(String id, int after, int limit, int inlineBytes)
      throws IOException {
    List<Completion> page = new ArrayList<>();
    long bytes = 0;
    for (Bags.Placed placed : bags.completions(id, after, limit)) {
      Bags.TaskOutcome outcome = placed.outcome();
      Optional<byte[]> output = Optional.empty();
      if (outcome.outputDigest().isPresent() && outcome.outputBytes() <= inlineBytes) {
        bytes += outcome.outputBytes();
        if (bytes > MOST_INLINE_BYTES_OF_PAGE) {
          break;
        }
        output = Optional.of(blobs.read(outcome.outputDigest().get()));
      }
      page.add(new Completion(placed.place(), outcome, output));
    }
    return page;
  }
}

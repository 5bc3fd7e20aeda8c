package io.gleaner.pages;

import io.gleaner.bag.Bags;
import io.gleaner.blob.BlobStore;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.live.BagView;
import io.gleaner.maker.MarketView;
import io.gleaner.rest.VisibleBags;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** One bag: how far it is, why it waits, what it made, and what failed. */
public final class BagPage {
  private static final int RESULTS_SHOWN = 60;

  private final Bags bags;
  private final VisibleBags visible;
  private final MarketView market;
  private final Frames frames;
  private final InstantSource clock;
  private final OffLoop offLoop;
  private final Pictures pictures;

  /**
   * What the page shows.
   *
   * @param why why it waits or how many slots it has, in one sentence; empty once it ended
   * @param steers whether the caller may cancel it
   */
  public record Bag(BagView view, String why, boolean steers, Results results) {}

  /**
   * The results shown, and what failed in groups.
   *
   * @param after the results begin after this index
   * @param next where the next ones begin, or -1
   */
  public record Results(
      String bagId, List<Result> shown, List<Failures.Group> failures, int after, int next) {

    /** Whether there is a picture among them. */
    public boolean hasPictures() {
      return shown.stream().anyMatch(Result::picture);
    }
  }

  /** One ended task, and whether its output is a picture. */
  public record Result(Bags.TaskOutcome task, boolean picture) {

    public boolean failed() {
      return task.outputDigest().isEmpty();
    }
  }

  BagPage(
      Bags bags,
      VisibleBags visible,
      MarketView market,
      BlobStore blobs,
      Frames frames,
      InstantSource clock,
      OffLoop offLoop) {
    this.bags = bags;
    this.visible = visible;
    this.market = market;
    this.frames = frames;
    this.clock = clock;
    this.offLoop = offLoop;
    this.pictures = new Pictures(blobs);
  }

  void show(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String id = ctx.pathParam("id");
    Frame frame = frames.ofBag(caller, "Bag", id);
    int after = after(ctx);
    offLoop
        .call(
            () -> {
              Bags.Summary bag = visible.require(caller, id);
              return new Bag(
                  BagView.of(bag, clock.instant()),
                  why(bag),
                  caller.may(Action.CHANGE, Thing.of(Thing.BAG, bag.owner())),
                  results(bag, after));
            })
        .onSuccess(page -> Templates.send(ctx, 200, "bag", Map.of("frame", frame, "page", page)))
        .onFailure(ctx::fail);
  }

  /** The part of the page with the results, for the script that renews it. */
  void results(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String id = ctx.pathParam("id");
    int after = after(ctx);
    offLoop
        .call(() -> results(visible.require(caller, id), after))
        .onSuccess(results -> Templates.send(ctx, 200, "results", Map.of("results", results)))
        .onFailure(ctx::fail);
  }

  void cancel(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    offLoop
        .call(() -> visible.cancel(caller, ctx.pathParam("id")))
        .onSuccess(
            bag ->
                ctx.response()
                    .setStatusCode(303)
                    .putHeader("Location", "/bags/" + bag.jobId())
                    .end())
        .onFailure(ctx::fail);
  }

  private Results results(Bags.Summary bag, int after) {
    List<Bags.TaskOutcome> found = bags.outcomes(bag.jobId(), after, RESULTS_SHOWN + 1);
    List<Bags.TaskOutcome> shown = found.subList(0, Math.min(RESULTS_SHOWN, found.size()));
    int next = found.size() > RESULTS_SHOWN ? shown.get(shown.size() - 1).taskIndex() : -1;
    return new Results(
        bag.jobId(),
        shown.stream().map(task -> new Result(task, pictures.isPicture(task))).toList(),
        bag.failed() == 0 ? List.of() : Failures.of(bags, bag.jobId()),
        after,
        next);
  }

  private String why(Bags.Summary bag) {
    return bag.ended().isPresent() ? "" : market.explain(bag.jobId()).orElse("");
  }

  private static int after(RoutingContext ctx) {
    return Requests.number(ctx, "after", -1, -1, Integer.MAX_VALUE);
  }
}

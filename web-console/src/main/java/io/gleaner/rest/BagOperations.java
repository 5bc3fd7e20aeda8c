package io.gleaner.rest;

import io.gleaner.bag.Bags;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.live.BagView;
import io.gleaner.maker.MarketView;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.gleaner.signing.Digests;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Submit, list, show, explain and cancel bags. */
public final class BagOperations {
  private static final int MOST_BAGS = 500;
  private static final int MOST_FILES = 20_000;
  private static final int LONGEST_KEY = 128;

  private final Bags bags;
  private final VisibleBags visible;
  private final MarketView market;
  private final InstantSource clock;
  private final OffLoop offLoop;

  /** The body of a submission: the YAML text, and digests of files by the name used there. */
  record SubmissionBody(String description, Map<String, String> files) {}

  /** An answer with several bags. */
  record BagList(List<BagView> bags) {}

  /** Why a bag waits, in one sentence. */
  record Explanation(String id, String explanation) {}

  public BagOperations(
      Bags bags, VisibleBags visible, MarketView market, InstantSource clock, OffLoop offLoop) {
    this.bags = bags;
    this.visible = visible;
    this.market = market;
    this.clock = clock;
    this.offLoop = offLoop;
  }

  void submit(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    caller.requireSubmitter();
    String key = requireKey(ctx.request().getHeader("Idempotency-Key"));
    SubmissionBody body = Json.read(ctx.body().buffer(), SubmissionBody.class);
    if (body.description() == null) {
      throw new ConsoleException(
          Code.INVALID_REQUEST, "the field 'description' is missing: the bag as YAML text");
    }
    Map<String, String> files = requireFiles(body.files() == null ? Map.of() : body.files());
    offLoop
        .call(() -> bags.submit(caller.name(), new Bags.Submission(body.description(), files, key)))
        .onSuccess(
            bag -> {
              ctx.response().putHeader(HttpHeaders.LOCATION, "/api/v1/bags/" + bag.jobId());
              Json.send(ctx, 201, view(bag));
            })
        .onFailure(ctx::fail);
  }

  void list(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    int limit = Requests.number(ctx, "limit", 50, 1, MOST_BAGS);
    offLoop
        .call(() -> new BagList(visible.list(caller, limit).stream().map(this::view).toList()))
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  void show(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    offLoop
        .call(() -> view(visible.require(caller, ctx.pathParam("id"))))
        .onSuccess(bag -> Json.send(ctx, 200, bag))
        .onFailure(ctx::fail);
  }

  void cancel(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    offLoop
        .call(() -> view(visible.cancel(caller, ctx.pathParam("id"))))
        .onSuccess(bag -> Json.send(ctx, 200, bag))
        .onFailure(ctx::fail);
  }

  void explain(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    offLoop
        .call(
            () -> {
              Bags.Summary bag = visible.require(caller, ctx.pathParam("id"));
              Optional<String> why = market.explain(bag.jobId());
              return new Explanation(bag.jobId(), why.orElse(bag.note()));
            })
        .onSuccess(explanation -> Json.send(ctx, 200, explanation))
        .onFailure(ctx::fail);
  }

  /**
   * An idempotency key that came from outside.
   *
   * @throws ConsoleException INVALID_REQUEST if it is missing, too long or not plain text
   */
  public static String requireKey(String key) {
    if (key == null
        || key.isEmpty()
        || key.length() > LONGEST_KEY
        || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new ConsoleException(
          Code.INVALID_REQUEST,
          "a submission needs an Idempotency-Key of 1 to "
              + LONGEST_KEY
              + " visible ASCII characters, a new one for each new bag");
    }
    return key;
  }

  private static Map<String, String> requireFiles(Map<String, String> files) {
    if (files.size() > MOST_FILES) {
      throw new ConsoleException(
          Code.INVALID_REQUEST, "a bag takes at most " + MOST_FILES + " files");
    }
    files.forEach(
        (name, digest) -> {
          if (digest == null || !Digests.isSha256Hex(digest)) {
            throw new ConsoleException(
                Code.INVALID_REQUEST,
                "the file '" + name + "' needs a SHA-256 of 64 lower-case hexadecimal digits");
          }
        });
    return files;
  }

  private BagView view(Bags.Summary bag) {
    return BagView.of(bag, clock.instant());
  }
}

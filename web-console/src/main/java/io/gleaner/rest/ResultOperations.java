package io.gleaner.rest;

import io.gleaner.bag.Bags;
import io.gleaner.blob.BlobStore;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** What the tasks of a bag came to, and the bytes they made. */
public final class ResultOperations {
  private static final int MOST_RESULTS = 1000;

  private final Bags bags;
  private final VisibleBags visible;
  private final BlobStore blobs;
  private final OutputArchive archive;
  private final OffLoop offLoop;
  private final OffLoop downloads;

  /** An answer with several outcomes; {@code next} asks for those after them. */
  record ResultList(List<Bags.TaskOutcome> results, Optional<Integer> next) {}

  private record Found(Bags.TaskOutcome outcome, String digest) {}

  /**
   * The operations.
   *
   * @param downloads a pool of its own: a slow reader keeps a thread
   */
  public ResultOperations(
      Bags bags, VisibleBags visible, BlobStore blobs, OffLoop offLoop, OffLoop downloads) {
    this.bags = bags;
    this.visible = visible;
    this.blobs = blobs;
    this.archive = new OutputArchive(bags, blobs);
    this.offLoop = offLoop;
    this.downloads = downloads;
  }

  void list(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    int after = Requests.number(ctx, "after", -1, -1, Integer.MAX_VALUE);
    int limit = Requests.number(ctx, "limit", 100, 1, MOST_RESULTS);
    offLoop
        .call(
            () -> {
              Bags.Summary bag = visible.require(caller, ctx.pathParam("id"));
              List<Bags.TaskOutcome> found = bags.outcomes(bag.jobId(), after, limit);
              return new ResultList(
                  found,
                  found.size() < limit
                      ? Optional.empty()
                      : Optional.of(found.get(found.size() - 1).taskIndex()));
            })
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  void output(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String id = ctx.pathParam("id");
    int task = Requests.number("task", ctx.pathParam("task"), 0, Integer.MAX_VALUE);
    offLoop
        .call(() -> find(caller, id, task))
        .onSuccess(found -> send(ctx, id, found))
        .onFailure(ctx::fail);
  }

  void archive(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    offLoop
        .call(() -> visible.require(caller, ctx.pathParam("id")))
        .onSuccess(bag -> sendArchive(ctx, bag))
        .onFailure(ctx::fail);
  }

  private void sendArchive(RoutingContext ctx, Bags.Summary bag) {
    HttpServerResponse response = ctx.response();
    downloads
        .call(
            () -> {
              response.putHeader(HttpHeaders.CONTENT_TYPE, "application/zip");
              attach(response, bag.name() + "-" + bag.jobId() + ".zip");
              archive.send(bag.jobId(), response);
              return null;
            })
        .onFailure(ctx::fail);
  }

  private static void attach(HttpServerResponse response, String name) {
    response.putHeader(
        HttpHeaders.CONTENT_DISPOSITION,
        "attachment; filename=\"" + name.replaceAll("[^A-Za-z0-9._-]", "_") + "\"");
  }

  private Found find(Caller caller, String id, int task) {
    Bags.TaskOutcome outcome = visible.requireOutcome(caller, id, task);
    return new Found(
        outcome,
        outcome
            .outputDigest()
            .orElseThrow(
                () -> new ConsoleException(Code.NOT_FOUND, "task " + task + " made no output")));
  }

  private void send(RoutingContext ctx, String id, Found found) {
    String etag = "\"" + found.digest() + "\"";
    HttpServerResponse response = ctx.response();
    response.putHeader(HttpHeaders.ETAG, etag);
    response.putHeader(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    if (etag.equals(ctx.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
      response.setStatusCode(304).end();
      return;
    }
    downloads
        .call(
            () -> {
              try (InputStream in = new BufferedInputStream(blobs.open(found.digest()))) {
                boolean png = PngSignature.startsOf(in);
                String name = id + "-" + found.outcome().taskIndex() + (png ? ".png" : ".bin");
                response.putHeader(
                    HttpHeaders.CONTENT_TYPE, png ? "image/png" : "application/octet-stream");
                attach(response, name);
                response.putHeader("Content-Security-Policy", "default-src 'none'; sandbox");
                Download.copy(in, found.outcome().outputBytes(), response);
              }
              return null;
            })
        .onFailure(ctx::fail);
  }
}

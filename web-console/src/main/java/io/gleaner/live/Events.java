package io.gleaner.live;

import io.gleaner.bag.Bags;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Opens event streams: {@code GET /api/v1/events?bag=&after=}, with {@code Last-Event-ID}. */
public final class Events {
  private static final int RETRY_MILLIS = 2000;

  private final LiveHub hub;
  private final Bags bags;
  private final OffLoop offLoop;

  public Events(LiveHub hub, Bags bags, OffLoop offLoop) {
    this.hub = hub;
    this.bags = bags;
    this.offLoop = offLoop;
  }

  /** Answers with the stream; somebody else's bag is as unknown as one that never was. */
  public void open(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    Optional<String> onlyBag = Requests.query(ctx, "bag");
    if (onlyBag.isEmpty()) {
      open(ctx, caller, onlyBag);
      return;
    }
    offLoop
        .call(
            () ->
                bags.find(onlyBag.get())
                    .filter(bag -> caller.may(Action.READ, Thing.of(Thing.BAG, bag.owner()))))
        .onSuccess(
            bag -> {
              if (bag.isPresent()) {
                open(ctx, caller, onlyBag);
              } else {
                ctx.fail(new ConsoleException(Code.NOT_FOUND, "there is no such bag of yours"));
              }
            })
        .onFailure(ctx::fail);
  }

  private void open(RoutingContext ctx, Caller caller, Optional<String> onlyBag) {
    HttpServerResponse response = ctx.response();
    if (response.closed()) {
      return;
    }
    EventStream stream = new EventStream(response, caller, onlyBag);
    response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream");
    Optional<String> lastId =
        Optional.ofNullable(ctx.request().getHeader("Last-Event-ID"))
            .or(() -> Requests.query(ctx, "after"));
    response.closeHandler(closed -> hub.remove(stream));
    response.exceptionHandler(failure -> hub.remove(stream));
    try {
      hub.add(stream, lastId);
    } catch (ConsoleException refused) {
      ctx.fail(refused);
      return;
    }
    stream.send(io.vertx.core.buffer.Buffer.buffer("retry: " + RETRY_MILLIS + "\n\n"));
  }
}

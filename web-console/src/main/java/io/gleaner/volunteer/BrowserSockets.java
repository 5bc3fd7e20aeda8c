package io.gleaner.volunteer;

import io.gleaner.authority.PoolIdentity;
import io.gleaner.enrolment.Enrolment;
import io.gleaner.enrolment.Members;
import io.gleaner.gateway.GatewayServer;
import io.gleaner.http.Connections;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.secrets.Secret;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.gleaner.volunteer.BrowserDesk.Enrolled;
import io.gleaner.volunteer.BrowserDesk.Opening;
import io.gleaner.volunteer.BrowserDesk.Place;
import io.gleaner.volunteer.BrowserDesk.Request;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The three WebSockets of browsers on the console's port: one makes a member of a browser, one
 * renews its certificate, and one carries the space. All begin with a nonce of the node and a
 * {@link io.gleaner.enrolment.BrowserProof} over it. Confined to the console's event loop.
 */
public final class BrowserSockets {
  private static final String ENROLMENT = "/volunteer/enrolment";
  private static final String RENEWAL = "/volunteer/renewal";
  private static final String SPACE = "/volunteer/space";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MOST_WAITING = 200;
  private static final int MOST_OF_OWNER = 100;
  private static final int FRAME_BYTES = 64 * 1024;
  private static final int PROOF_BYTES = 8 * 1024;

  private final Vertx vertx;
  private final Entry entry;
  private final BrowserDesk desk;
  private final Authentication authentication;
  private final OffLoop offLoop;
  private final Set<Challenge> waiting = new LinkedHashSet<>();
  private final Map<String, Integer> openByOwner = new HashMap<>();

  /** What makes members of browsers, and where they go then. */
  public record Entry(Enrolment enrolment, GatewayServer gateway) {}

  /** Sockets that lead to the entry. */
  public BrowserSockets(
      Vertx vertx, Entry entry, Members members, Authentication authentication, OffLoop offLoop) {
    this.vertx = vertx;
    this.entry = entry;
    this.desk = new BrowserDesk(members, entry.enrolment());
    this.authentication = authentication;
    this.offLoop = offLoop;
  }

  /** Bounds what one message costs before anybody looks at it; nothing comes compressed. */
  public static void bound(HttpServerOptions options) {
    options
        .setMaxWebSocketFrameSize(FRAME_BYTES)
        .setMaxWebSocketMessageSize(PROOF_BYTES)
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false);
  }

  public void addTo(Router router) {
    router
        .get(ENROLMENT)
        .handler(
            ctx -> {
              Optional<Caller> caller = authentication.ofCookie(ctx);
              open(ctx, ENROLMENT, (socket, text) -> enrol(socket, text, caller));
            });
    router.get(RENEWAL).handler(ctx -> open(ctx, RENEWAL, this::renew));
    router
        .get(SPACE)
        .handler(ctx -> open(ctx, SPACE, (socket, text) -> enter(socket, text, ctx.request())));
  }

  private void open(RoutingContext ctx, String channel, BiConsumer<Challenge, Buffer> proof) {
    String origin = origin(ctx.request());
    if (!origin.equalsIgnoreCase(ctx.request().getHeader(HttpHeaders.ORIGIN))) {
      ctx.fail(
          new ConsoleException(
              Code.FORGED, "a WebSocket of this console is for pages of " + origin + " only"));
      return;
    }
    Place place = new Place(desk.pool(), origin, channel, Secret.random().reveal());
    ctx.request()
        .toWebSocket()
        .onSuccess(socket -> challenge(socket, place, proof))
        .onFailure(
            e ->
                ctx.fail(
                    new ConsoleException(
                        Code.INVALID_REQUEST, "this address is for a WebSocket only", e)));
  }

  private void challenge(ServerWebSocket socket, Place place, BiConsumer<Challenge, Buffer> proof) {
    Challenge challenge = new Challenge(vertx, socket, place);
    waiting.add(challenge);
    if (waiting.size() > MOST_WAITING) {
      Iterator<Challenge> oldest = waiting.iterator();
      Challenge gone = oldest.next();
      oldest.remove();
      gone.makeRoom();
    }
    challenge.begin(
        PATIENCE, text -> proof.accept(challenge, text), () -> waiting.remove(challenge));
  }

  private void enrol(Challenge challenge, Buffer text, Optional<Caller> caller) {
    String from = challenge.from();
    Future<Optional<Caller>> now =
        caller.map(authentication::now).orElse(Future.succeededFuture(Optional.empty()));
    now.compose(
            user ->
                offLoop.call(
                    () ->
                        desk.enrolled(
                            challenge.place(), Json.read(text, Request.class), user, from)))
        .onSuccess((Enrolled enrolled) -> challenge.done(enrolled))
        .onFailure(challenge::refuse);
  }

  private void renew(Challenge challenge, Buffer text) {
    offLoop
        .call(() -> desk.renewed(challenge.place(), Json.read(text, Opening.class)))
        .onSuccess((Enrolled renewed) -> challenge.done(renewed))
        .onFailure(challenge::refuse);
  }

  private void enter(Challenge challenge, Buffer text, HttpServerRequest request) {
    offLoop
        .call(() -> desk.opened(challenge.place(), Json.read(text, Opening.class)))
        .onSuccess(certificate -> welcome(challenge, certificate, request))
        .onFailure(challenge::refuse);
  }

  private void welcome(
      Challenge challenge, X509Certificate certificate, HttpServerRequest request) {
    String owner = PoolIdentity.of(certificate).orElseThrow().owner();
    if (challenge.hasEnded()) {
      return;
    }
    if (openByOwner.getOrDefault(owner, 0) >= MOST_OF_OWNER) {
      challenge.refuse(
          new ConsoleException(
              Code.TOO_MANY,
              owner + " has " + MOST_OF_OWNER + " browsers here already; close some"));
      return;
    }
    Connections.known(request, owner);
    openByOwner.merge(owner, 1, Integer::sum);
    entry
        .gateway()
        .welcome(
            challenge.handedOver(),
            certificate,
            () -> openByOwner.computeIfPresent(owner, (o, n) -> n == 1 ? null : n - 1));
  }

  /** As the browser names the page that may ask: the host is one of the console's, seen before. */
  private static String origin(HttpServerRequest request) {
    return (request.isSSL() ? "https://" : "http://") + request.getHeader(HttpHeaders.HOST);
  }
}

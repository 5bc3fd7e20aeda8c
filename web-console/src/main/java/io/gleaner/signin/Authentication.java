package io.gleaner.signin;

import io.gleaner.http.Connections;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.ConsoleSettings;
import io.gleaner.http.OffLoop;
import io.gleaner.identity.ApiTokens;
import io.gleaner.identity.Sessions;
import io.gleaner.identity.Sessions.Session;
import io.gleaner.identity.TokenScope;
import io.gleaner.identity.Users;
import io.gleaner.limits.Rate;
import io.gleaner.secrets.Secret;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the caller of a request and proves that a change was meant. Safe for all threads. */
public final class Authentication {
  private static final String BEARER = "Bearer ";
  private static final String CALLER = "gleaner.caller";
  private static final int LONGEST_TOKEN = 512;

  private final Sessions sessions;
  private final Users users;
  private final ApiTokens tokens;
  private final OffLoop offLoop;
  private final ConsoleSettings settings;

  /** How often each user asks, over all sessions and tokens; there are as many as users. */
  private final Map<String, Rate> requests = new ConcurrentHashMap<>();

  public Authentication(
      Users users, Sessions sessions, ApiTokens tokens, OffLoop offLoop, ConsoleSettings settings) {
    this.users = users;
    this.sessions = sessions;
    this.tokens = tokens;
    this.offLoop = offLoop;
    this.settings = settings;
  }

  /** The caller that {@link #require} found. */
  public static Caller callerOf(RoutingContext ctx) {
    return Objects.requireNonNull(ctx.get(CALLER), "this route does not require a caller");
  }

  /** Lets the request pass with its caller, or fails it with SIGN_IN_REQUIRED. */
  public void require(RoutingContext ctx) {
    // The body must not flow before somebody takes it.
    ctx.request().pause();
    find(ctx)
        .onSuccess(
            caller -> {
              ctx.request().resume();
              Optional<ConsoleException> refusal = refusal(caller);
              if (refusal.isPresent()) {
                ctx.fail(refusal.get());
              } else {
                Connections.known(ctx.request(), caller.orElseThrow().name());
                ctx.put(CALLER, caller.orElseThrow());
                ctx.next();
              }
            })
        .onFailure(
            failure -> {
              ctx.request().resume();
              ctx.fail(failure);
            });
  }

  private Optional<ConsoleException> refusal(Optional<Caller> caller) {
    if (caller.isEmpty()) {
      return Optional.of(
          new ConsoleException(
              Code.SIGN_IN_REQUIRED,
              "sign in, or send 'Authorization: Bearer <API token>' with a valid token"));
    }
    String name = caller.get().name();
    long tooEarly =
        requests.computeIfAbsent(name, n -> settings.requests().begin(System::nanoTime)).asks();
    if (tooEarly == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new ConsoleException(
            Code.TOO_MANY, name + " sends " + settings.requests().refusal("requests", tooEarly)));
  }

  /**
   * Refuses a change that did not come from a page of this console. API tokens need no such proof:
   * no browser sends them by itself.
   *
   * @param presented what came in the header or hidden field; empty if nothing did
   */
  public static void requireMeant(Caller caller, String presented) {
    boolean meant =
        caller.session().map(session -> Sessions.isCsrfOf(session, presented)).orElse(true);
    if (!meant) {
      throw new ConsoleException(
          Code.FORGED,
          "this change did not come from a page of this console, or its page is from an earlier"
              + " session; load the page again");
    }
  }

  /** Whether the caller is still signed in; always true for an API token. */
  public boolean isStillSignedIn(Caller caller) {
    return caller.session().map(session -> sessions.find(session.id()).isPresent()).orElse(true);
  }

  /** Begins a session and hands its cookie out. */
  void begin(RoutingContext ctx, Session session) {
    ctx.response().addCookie(cookie(ctx, session.id().reveal()));
  }

  /** Ends the caller's session here and in the browser. */
  void end(RoutingContext ctx, Caller caller) {
    caller.session().ifPresent(session -> sessions.end(session.id()));
    ctx.response().addCookie(cookie(ctx, "").setMaxAge(0));
  }

  /** The session of the request's cookie. */
  public Optional<Caller> ofCookie(RoutingContext ctx) {
    return Optional.ofNullable(ctx.request().getCookie(cookieName(ctx)))
        .map(Cookie::getValue)
        .filter(value -> !value.isEmpty() && value.length() <= LONGEST_TOKEN)
        .flatMap(value -> sessions.find(Secret.of(value)))
        .map(
            session ->
                new Caller(session.user(), Optional.of(session), TokenScope.FULL, from(ctx)));
  }

  private Future<Optional<Caller>> find(RoutingContext ctx) {
    String authorization = ctx.request().getHeader(HttpHeaders.AUTHORIZATION);
    if (authorization == null) {
      return ofCookie(ctx).map(this::now).orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }
    if (!authorization.startsWith(BEARER)
        || authorization.length() == BEARER.length()
        || authorization.length() > LONGEST_TOKEN) {
      return Future.succeededFuture(Optional.empty());
    }
    Secret token = Secret.of(authorization.substring(BEARER.length()));
    String from = from(ctx);
    return offLoop.call(
        () ->
            tokens
                .check(token)
                .map(bearer -> new Caller(bearer.user(), Optional.empty(), bearer.scope(), from)));
  }

  /** The caller, unless password or roles were changed since the session began, at any node. */
  public Future<Optional<Caller>> now(Caller caller) {
    return offLoop.call(
        () -> {
          Session session = caller.session().orElseThrow();
          if (users.version(caller.name()).filter(now -> now == session.version()).isPresent()) {
            return Optional.of(caller);
          }
          sessions.end(session.id());
          return Optional.empty();
        });
  }

  static String from(RoutingContext ctx) {
    return ctx.request().remoteAddress().hostAddress();
  }

  private static Cookie cookie(RoutingContext ctx, String value) {
    return Cookie.cookie(cookieName(ctx), value)
        .setHttpOnly(true)
        .setSecure(ctx.request().isSSL())
        .setSameSite(CookieSameSite.STRICT)
        .setPath("/");
  }

  private static String cookieName(RoutingContext ctx) {
    // Cookies are not bound to a port, and there may be several nodes on one machine.
    return "gleaner-session-" + ctx.request().localAddress().port();
  }
}

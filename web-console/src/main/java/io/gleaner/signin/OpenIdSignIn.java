package io.gleaner.signin;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.identity.AddressNetwork;
import io.gleaner.identity.ProviderUsers;
import io.gleaner.identity.Sessions;
import io.gleaner.identity.Sessions.Session;
import io.gleaner.identity.User;
import io.gleaner.identity.Users;
import io.gleaner.leasing.Ticker;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what an OpenID provider says of somebody into a session: the authorization code flow with
 * PKCE. A sign-in that is under way is bound to its browser by a cookie ({@link OpenIdFlows}). To
 * be used on one event loop.
 */
public final class OpenIdSignIn {
  /** Where the provider sends browsers, a path of this console. */
  public static final String BACK = "/signin/openid/back";

  private static final Logger LOG = LoggerFactory.getLogger(OpenIdSignIn.class);
  private static final int LONGEST_PARAMETER = 4096;

  private final OpenIdSettings settings;
  private final OpenIdProvider provider;
  private final OpenIdFlows flows;
  private final Parts parts;

  /**
   * What it works on.
   *
   * @param welcome grants a new user the first credits, once
   */
  public record Parts(
      ProviderUsers providerUsers,
      Users users,
      Sessions sessions,
      Authentication authentication,
      Consumer<String> welcome,
      OffLoop offLoop,
      InstantSource clock) {}

  /** Who signed in, and where to go. */
  public record Done(User user, String then) {}

  public OpenIdSignIn(Vertx vertx, OpenIdSettings settings, Parts parts) {
    this.settings = settings;
    this.provider = new OpenIdProvider(vertx, settings, parts.clock(), Ticker.system());
    this.flows = new OpenIdFlows(parts.clock());
    this.parts = parts;
  }

  /** What the page calls the provider. */
  public String name() {
    return settings.name();
  }

  /** Looks whether the provider is there; the log has a sentence if it is not. */
  public Future<Boolean> look() {
    return provider.look();
  }

  /** Where to send this browser; fails with UNAVAILABLE if the provider is away. */
  public Future<String> begin(RoutingContext ctx, String then) {
    OpenIdFlow flow =
        OpenIdFlow.begin(
            redirect(ctx),
            then,
            AddressNetwork.of(Authentication.from(ctx)),
            parts.clock().instant());
    return provider
        .entrance(flow)
        .map(
            entrance -> {
              flows.begin(flow);
              ctx.response()
                  .addCookie(
                      cookie(ctx, flow.browser().reveal())
                          .setMaxAge(OpenIdFlows.LONGEST.toSeconds()));
              return entrance;
            });
  }

  /** Takes a browser back that the provider has sent; fails with a sentence for the person. */
  public Future<Done> finish(RoutingContext ctx) {
    String from = Authentication.from(ctx);
    try {
      parts.providerUsers().begin(from);
    } catch (SecurityRefusal mustWait) {
      return Future.failedFuture(mustWait);
    }
    return claimed(ctx, from)
        .onSuccess(
            done -> {
              parts.providerUsers().excused(from);
              LOG.info("{} signed in by OpenID", done.user().name());
            })
        .recover(failure -> refuse(from, failure));
  }

  private Future<Done> claimed(RoutingContext ctx, String from) {
    OpenIdFlow flow;
    String code;
    try {
      flow = flow(ctx);
      code = code(ctx);
    } catch (ConsoleException e) {
      return Future.failedFuture(e);
    }
    return provider
        .claims(flow, code)
        .compose(claims -> parts.offLoop().call(() -> session(claims, from)))
        .map(
            session -> {
              parts.authentication().begin(ctx, session);
              return new Done(session.user(), flow.then());
            });
  }

  private OpenIdFlow flow(RoutingContext ctx) {
    Cookie presented = ctx.request().getCookie(cookieName(ctx));
    ctx.response().addCookie(cookie(ctx, "").setMaxAge(0));
    return parameter(ctx, "state")
        .flatMap(flows::take)
        .filter(
            flow ->
                presented != null
                    && !presented.getValue().isEmpty()
                    && flow.browser().equals(Secret.of(presented.getValue()))
                    && flow.redirect().equals(redirect(ctx)))
        .orElseThrow(
            () ->
                new ConsoleException(
                    Code.FORGED,
                    "this sign-in was not begun in this browser, or is over; please sign in"
                        + " again"));
  }

  private String code(RoutingContext ctx) {
    // RFC 9207: a provider may say which it is.
    if (parameter(ctx, "iss").filter(issuer -> !issuer.equals(settings.issuer())).isPresent()) {
      throw new ConsoleException(Code.FORGED, "another provider has answered this sign-in");
    }
    return parameter(ctx, "code")
        .orElseThrow(
            () -> new ConsoleException(Code.FORGED, "the provider did not sign you in; try again"));
  }

  private Session session(Map<String, Object> claims, String from) {
    Admission admission = settings.admission();
    if (!admission.admits(claims)) {
      throw new ConsoleException(
          Code.FORBIDDEN,
          "this console does not take everybody from " + settings.name() + "; ask its operator");
    }
    ProviderUsers.Identity who =
        new ProviderUsers.Identity(settings.issuer(), String.valueOf(claims.get("sub")));
    String name =
        parts
            .providerUsers()
            .signIn(who, admission.name(claims), admission.newRoles(), from)
            .name();
    parts.welcome().accept(name);
    // Before the roles are read: a change in between ends the session.
    long version = parts.users().version(name).orElseThrow();
    return parts.sessions().begin(parts.users().find(name).orElseThrow(), version);
  }

  /** The log has each refusal, but not that the provider or the database is away. */
  private Future<Done> refuse(String from, Throwable failure) {
    Optional<String> why = why(failure);
    if (why.isEmpty()) {
      parts.providerUsers().excused(from);
      return Future.failedFuture(failure);
    }
    return parts
        .offLoop()
        .call(
            () -> {
              parts.providerUsers().refused(from, why.get());
              return why;
            })
        .compose(logged -> Future.failedFuture(failure));
  }

  private static Optional<String> why(Throwable failure) {
    boolean refusal =
        failure instanceof ConsoleException e
            ? e.code().status() < 500
            : failure instanceof SecurityRefusal s && s.code() != SecurityRefusal.Code.STORAGE;
    return refusal ? Optional.of(failure.getMessage()) : Optional.empty();
  }

  private static Optional<String> parameter(RoutingContext ctx, String name) {
    return Requests.query(ctx, name)
        .filter(value -> !value.isEmpty() && value.length() <= LONGEST_PARAMETER);
  }

  /** This console's address as the browser wrote it, which is one of its own names. */
  private static String redirect(RoutingContext ctx) {
    return ctx.request().scheme() + "://" + ctx.request().authority() + BACK;
  }

  private static Cookie cookie(RoutingContext ctx, String value) {
    // Lax: it has to come along when the provider sends the browser back.
    return Cookie.cookie(cookieName(ctx), value)
        .setHttpOnly(true)
        .setSecure(ctx.request().isSSL())
        .setSameSite(CookieSameSite.LAX)
        .setPath("/signin/openid");
  }

  private static String cookieName(RoutingContext ctx) {
    return "gleaner-openid-" + ctx.request().localAddress().port();
  }
}

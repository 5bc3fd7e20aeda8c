package io.gleaner.signin;

import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.OffLoop;
import io.gleaner.identity.Names;
import io.gleaner.identity.Sessions;
import io.gleaner.identity.Sessions.Session;
import io.gleaner.identity.User;
import io.gleaner.identity.Users;
import io.gleaner.secrets.Secret;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a name and a password into a session, and ends it. Safe for all threads. */
public final class SignIn {
  private static final Logger LOG = LoggerFactory.getLogger(SignIn.class);
  private static final String FORM_COOKIE = "gleaner-signin";

  private final Users users;
  private final Sessions sessions;
  private final Authentication authentication;
  private final SecurityLog log;
  private final OffLoop offLoop;
  private final OffLoop passwords;
  private final SignInPlaces places = new SignInPlaces();

  /**
   * Sign-in by password.
   *
   * @param passwords where passwords are hashed: whoever waits there holds up nobody else
   */
  public SignIn(
      Users users,
      Sessions sessions,
      Authentication authentication,
      SecurityLog log,
      OffLoop offLoop,
      OffLoop passwords) {
    this.log = log;
    this.users = users;
    this.sessions = sessions;
    this.authentication = authentication;
    this.offLoop = offLoop;
    this.passwords = passwords;
  }

  /**
   * A fresh token for a sign-in form, also set as a cookie: nobody has a session yet that could
   * hold it.
   */
  public String formToken(RoutingContext ctx) {
    String token = Secret.random().reveal();
    ctx.response()
        .addCookie(
            Cookie.cookie(FORM_COOKIE, token)
                .setHttpOnly(true)
                .setSecure(ctx.request().isSSL())
                .setSameSite(CookieSameSite.STRICT)
                .setPath("/signin"));
    return token;
  }

  /** Checks the posted form and begins a session; fails with a sentence for the person. */
  public Future<User> begin(RoutingContext ctx) {
    Cookie cookie = ctx.request().getCookie(FORM_COOKIE);
    String presented = field(ctx, "csrf");
    if (cookie == null
        || presented.isEmpty()
        || cookie.getValue().isEmpty()
        || !Secret.of(presented).equals(Secret.of(cookie.getValue()))) {
      throw new ConsoleException(
          Code.FORGED, "this form is not from this console or too old; please sign in again");
    }
    String name = field(ctx, "name").strip();
    String password = field(ctx, "password");
    if (name.isEmpty() || password.isEmpty()) {
      throw new ConsoleException(Code.WRONG_PASSWORD, "enter a name and a password");
    }
    String from = Authentication.from(ctx);
    return places
        .within(from, name, () -> passwords.call(() -> begin(name, Secret.of(password), from)))
        .map(
            session -> {
              authentication.begin(ctx, session);
              LOG.info("{} signed in", session.user().name());
              return session.user();
            });
  }

  private Session begin(String name, Secret password, String from) {
    // Before the password is checked: a change in between ends the session.
    long version = Names.isName(name) ? users.version(name).orElse(0L) : 0;
    return users
        .signIn(name, password, from)
        .map(user -> sessions.begin(user, version))
        .orElseThrow(
            () ->
                new ConsoleException(
                    Code.WRONG_PASSWORD, "no user has this name and this password"));
  }

  /** Ends the session here and in the browser; done when the log has it. */
  public Future<Void> end(RoutingContext ctx, Caller caller) {
    authentication.end(ctx, caller);
    LOG.info("{} signed out", caller.name());
    return offLoop.call(
        () -> {
          log.record(SecurityEvent.done(Deed.SIGN_OUT, caller.actor(), caller.name(), ""));
          return null;
        });
  }

  private static String field(RoutingContext ctx, String name) {
    return Optional.ofNullable(ctx.request().getFormAttribute(name)).orElse("");
  }
}

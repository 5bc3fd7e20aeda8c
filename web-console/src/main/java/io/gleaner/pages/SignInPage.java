package io.gleaner.pages;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.Problem;
import io.gleaner.http.Requests;
import io.gleaner.rest.ProblemAnswer;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.OpenIdSignIn;
import io.gleaner.signin.SignIn;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The form for name and password, the way by an OpenID provider, and the way out. */
public final class SignInPage {
  private static final Pattern OWN_PATH = Pattern.compile("/(?:[A-Za-z0-9_-][A-Za-z0-9/_-]*)?");

  private final SignIn signIn;
  private final Authentication authentication;
  private final Frames frames;
  private final Optional<OpenIdSignIn> openId;

  /**
   * The form.
   *
   * @param then where to go afterwards, a path of this console
   * @param name what was typed before
   * @param error why it was refused, or empty
   * @param provider what the OpenID provider is called, empty if there is none
   */
  public record Form(String token, String then, String name, String error, String provider) {}

  SignInPage(
      SignIn signIn, Optional<OpenIdSignIn> openId, Authentication authentication, Frames frames) {
    this.openId = openId;
    this.signIn = signIn;
    this.authentication = authentication;
    this.frames = frames;
  }

  void show(RoutingContext ctx) {
    String then = ownPath(Requests.query(ctx, "then"));
    if (authentication.ofCookie(ctx).isPresent()) {
      ctx.redirect(then);
    } else {
      show(ctx, 200, then, "", "");
    }
  }

  void post(RoutingContext ctx) {
    String then = ownPath(field(ctx, "then"));
    try {
      signIn
          .begin(ctx)
          .onSuccess(user -> ctx.response().setStatusCode(303).putHeader("Location", then).end())
          .onFailure(failure -> refuse(ctx, then, typedName(ctx), failure));
    } catch (ConsoleException refused) {
      refuse(ctx, then, typedName(ctx), refused);
    }
  }

  /** Sends the browser to the OpenID provider. */
  void toProvider(RoutingContext ctx) {
    String then = ownPath(Requests.query(ctx, "then"));
    provider()
        .begin(ctx, then)
        .onSuccess(entrance -> ctx.redirect(entrance))
        .onFailure(failure -> refuse(ctx, then, "", failure));
  }

  /**
   * Takes the browser back from the OpenID provider. A page of this console goes on from here: a
   * redirection would still be the provider's, and the session's cookie would stay behind.
   */
  void fromProvider(RoutingContext ctx) {
    provider()
        .finish(ctx)
        .onSuccess(
            done -> {
              ctx.response().putHeader("Refresh", "0; url=" + done.then());
              Templates.send(
                  ctx,
                  200,
                  "signedin",
                  Map.of(
                      "frame",
                      frames.of(Optional.empty(), "Signed in"),
                      "user",
                      done.user().name(),
                      "then",
                      done.then()));
            })
        .onFailure(failure -> refuse(ctx, "/", "", failure));
  }

  private OpenIdSignIn provider() {
    return openId.orElseThrow(
        () -> new ConsoleException(ConsoleException.Code.NOT_FOUND, "there is nothing here"));
  }

  void signOut(RoutingContext ctx) {
    signIn
        .end(ctx, Authentication.callerOf(ctx))
        .onSuccess(done -> ctx.response().setStatusCode(303).putHeader("Location", "/signin").end())
        .onFailure(ctx::fail);
  }

  private void refuse(RoutingContext ctx, String then, String name, Throwable failure) {
    Problem problem = Problem.of(failure);
    if (problem.isInternal()) {
      ctx.fail(failure);
    } else {
      ProblemAnswer.sayWhen(ctx.response(), failure, problem.status());
      show(ctx, problem.status(), then, name, problem.detail());
    }
  }

  private void show(RoutingContext ctx, int status, String then, String name, String error) {
    Templates.send(
        ctx,
        status,
        "signin",
        Map.of(
            "frame",
            frames.of(Optional.empty(), "Sign in"),
            "form",
            new Form(
                signIn.formToken(ctx),
                then,
                name,
                error,
                openId.map(OpenIdSignIn::name).orElse(""))));
  }

  private static String typedName(RoutingContext ctx) {
    return field(ctx, "name").orElse("");
  }

  private static Optional<String> field(RoutingContext ctx, String name) {
    return Optional.ofNullable(ctx.request().getFormAttribute(name));
  }

  private static String ownPath(Optional<String> path) {
    return path.filter(p -> OWN_PATH.matcher(p).matches()).orElse("/");
  }
}

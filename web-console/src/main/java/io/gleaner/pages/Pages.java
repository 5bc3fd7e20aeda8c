package io.gleaner.pages;

import io.gleaner.http.Bodies;
import io.gleaner.http.ConsoleSettings;
import io.gleaner.http.Problem;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.gleaner.signin.OpenIdSignIn;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.TimeoutHandler;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of pages, and what each request for one passes before it. */
final class Pages {
  private static final Logger LOG = LoggerFactory.getLogger(Pages.class);
  private static final long SMALL_FORM_BYTES = 16 * 1024;

  private final SignInPage signIn;
  private final OverviewPage overview;
  private final BagPage bag;
  private final SubmitPage submit;
  private final UsersPage users;
  private final Assets assets;
  private final Frames frames;
  private final Authentication authentication;
  private final ConsoleSettings settings;

  Pages(
      SignInPage signIn,
      OverviewPage overview,
      BagPage bag,
      SubmitPage submit,
      UsersPage users,
      Assets assets,
      Frames frames,
      Authentication authentication,
      ConsoleSettings settings) {
    this.signIn = signIn;
    this.overview = overview;
    this.bag = bag;
    this.submit = submit;
    this.users = users;
    this.assets = assets;
    this.frames = frames;
    this.authentication = authentication;
    this.settings = settings;
  }

  void addTo(Router router) {
    router.route().failureHandler(this::fail);
    router.route().handler(TimeoutHandler.create(settings.requestTimeout().toMillis(), 503));
    router.get("/assets/:name").handler(guarded(assets::send));
    router.get("/signin").handler(guarded(signIn::show));
    router.get("/signin/openid").handler(guarded(signIn::toProvider));
    router.get(OpenIdSignIn.BACK).handler(guarded(signIn::fromProvider));
    router.post("/signin").handler(smallForm()).handler(guarded(signIn::post));
    router.get("/").handler(authentication::require).handler(guarded(overview::show));
    router.get("/bags/:id").handler(authentication::require).handler(guarded(bag::show));
    router.get("/bags/:id/results").handler(authentication::require).handler(guarded(bag::results));
    router.get("/submit").handler(authentication::require).handler(guarded(submit::show));
    change(router, "/signout", smallForm(), signIn::signOut);
    change(router, "/bags/:id/cancel", smallForm(), bag::cancel);
    change(router, "/submit", largeForm(), submit::post);
    router.get("/users").handler(authentication::require).handler(guarded(users::list));
    router.get("/users/:name").handler(authentication::require).handler(guarded(users::show));
    change(router, "/users", smallForm(), users::add);
    change(router, "/users/:name/roles", smallForm(), users::changeRoles);
    change(router, "/users/:name/password", smallForm(), users::changePassword);
    change(router, "/users/:name/tokens", smallForm(), users::issue);
    change(router, "/users/:name/revoke", smallForm(), users::revoke);
  }

  private void change(
      Router router, String path, Handler<RoutingContext> form, Handler<RoutingContext> handler) {
    router
        .route(HttpMethod.POST, path)
        .handler(authentication::require)
        .handler(form)
        .handler(
            guarded(
                ctx -> {
                  Authentication.requireMeant(
                      Authentication.callerOf(ctx),
                      Optional.ofNullable(ctx.request().getFormAttribute("csrf")).orElse(""));
                  ctx.next();
                }))
        .handler(guarded(handler));
  }

  private static Handler<RoutingContext> smallForm() {
    return Bodies.inMemory(SMALL_FORM_BYTES);
  }

  private Handler<RoutingContext> largeForm() {
    return Bodies.withFiles(settings.maxFormBytes(), settings.uploadFolder());
  }

  private static Handler<RoutingContext> guarded(Handler<RoutingContext> handler) {
    return ctx -> {
      try {
        handler.handle(ctx);
      } catch (RuntimeException e) {
        ctx.fail(e);
      }
    };
  }

  private void fail(RoutingContext ctx) {
    show(ctx, Problem.of(ctx.failure(), ctx.statusCode()));
  }

  /** Answers with a page that says what is wrong, or with the form to sign in. */
  void show(RoutingContext ctx, Problem problem) {
    if (problem.isInternal()) {
      LOG.error("{} {} failed", ctx.request().method(), ctx.request().path(), ctx.failure());
    }
    if (ctx.response().headWritten()) {
      ctx.response().reset();
    } else if (problem.code().equals("sign-in-required")) {
      boolean back = ctx.request().method().equals(HttpMethod.GET);
      String then =
          back ? "?then=" + URLEncoder.encode(ctx.request().path(), StandardCharsets.UTF_8) : "";
      ctx.redirect("/signin" + then);
    } else {
      if (!ctx.request().isEnded()) {
        ctx.response().putHeader(HttpHeaders.CONNECTION, "close");
      }
      Optional<Caller> caller = authentication.ofCookie(ctx);
      Templates.send(
          ctx,
          problem.status(),
          "problem",
          Map.of("frame", frames.of(caller, problem.title()), "problem", problem));
    }
  }
}

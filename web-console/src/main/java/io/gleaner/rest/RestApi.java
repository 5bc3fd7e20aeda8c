package io.gleaner.rest;

import static io.gleaner.rest.Operation.get;
import static io.gleaner.rest.Operation.getOpen;
import static io.gleaner.rest.Operation.post;
import static io.gleaner.rest.Operation.put;

import io.gleaner.http.Bodies;
import io.gleaner.http.ConsoleSettings;
import io.gleaner.live.Events;
import io.gleaner.signin.Authentication;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.TimeoutHandler;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The table of operations under {@code /api/v1}, and what each request passes before its own. */
public final class RestApi {
  /** What a page of this console sends along with a change. */
  public static final String CSRF_HEADER = "X-CSRF-Token";

  private static final String EVENTS = "/events";
  private static final String OUTPUT = "/bags/{id}/results/{task}/output";
  private static final String VERIFICATION = "/audit/verification";
  private static final String OUTPUTS = "/bags/{id}/outputs.zip";

  /** Answers that may take long; each watches over its reader itself. */
  private static final Set<String> LONG = Set.of(EVENTS, OUTPUT, OUTPUTS, VERIFICATION);

  private final List<Operation> operations;
  private final Authentication authentication;
  private final ConsoleSettings settings;

  public RestApi(
      BagOperations bags,
      ResultOperations results,
      SignatureOperations signatures,
      CompletionOperations completions,
      BlobOperations blobs,
      MarketOperations market,
      AccountOperations account,
      UserOperations users,
      AuditOperations audit,
      SignerOperations signers,
      MemberOperations members,
      Events events,
      Authentication authentication,
      ConsoleSettings settings) {
    this.authentication = authentication;
    this.settings = settings;
    this.operations =
        List.of(
            getOpen("/health", market::health),
            getOpen("/openapi.yaml", OpenApi::send),
            get("/status", market::status),
            get("/launchers", market::launchers),
            get("/account", account::show),
            get("/signers", signers::list),
            post("/signers", signers::add),
            post("/signers/{subject}/revoke", signers::revoke),
            put("/blobs/{sha256}", blobs::put),
            post("/bags", bags::submit),
            get("/bags", bags::list),
            get("/bags/{id}", bags::show),
            post("/bags/{id}/cancel", bags::cancel),
            get("/bags/{id}/explain", bags::explain),
            get("/bags/{id}/results", results::list),
            get("/bags/{id}/completions", completions::list),
            get("/bags/{id}/results/{task}/signatures", signatures::list),
            get(OUTPUT, results::output),
            get(OUTPUTS, results::archive),
            get("/users", users::list),
            post("/users", users::add),
            post("/users/{name}/roles", users::changeRoles),
            post("/users/{name}/password", users::changePassword),
            get("/users/{name}/tokens", users::tokens),
            post("/users/{name}/tokens", users::issue),
            post("/tokens/{id}/revoke", users::revoke),
            get("/audit/log", audit::log),
            get("/audit/checkpoints", audit::checkpoints),
            post(VERIFICATION, audit::verify),
            get("/members", members::list),
            post("/members", members::invite),
            post("/members/{name}/revoke", members::revoke),
            get("/invitations", members::invited),
            post("/invitations/{name}/cancel", members::cancel),
            get("/authority", members::authority),
            post("/authority/rotate", members::rotate),
            post("/authority/retire", members::retire),
            get(EVENTS, events::open));
  }

  /** Every operation as method and path, for instance {@code GET /bags/{id}}. */
  public List<String> operations() {
    return operations.stream().map(o -> o.method().name() + " " + o.path()).toList();
  }

  /** A router of all operations, to be mounted at {@code /api/v1}. */
  public Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    router.route().failureHandler(ProblemAnswer::send);
    operations.forEach(operation -> add(router, operation));
    return router;
  }

  private void add(Router router, Operation operation) {
    Route route = router.route(operation.method(), operation.routerPath());
    if (operation.body() != Operation.Body.STREAM && !LONG.contains(operation.path())) {
      route.handler(TimeoutHandler.create(settings.requestTimeout().toMillis(), 503));
    }
    if (!operation.open()) {
      route.handler(authentication::require);
    }
    if (operation.changes()) {
      route.handler(RestApi::requireMeant);
    }
    if (operation.body() == Operation.Body.JSON) {
      route.handler(Bodies.inMemory(settings.maxDescriptionBytes()));
    }
    route.handler(guarded(operation.handler()));
  }

  private static void requireMeant(RoutingContext ctx) {
    Authentication.requireMeant(
        Authentication.callerOf(ctx),
        Optional.ofNullable(ctx.request().getHeader(CSRF_HEADER)).orElse(""));
    ctx.next();
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
}

package io.gleaner.pages;

import io.gleaner.enrolment.Members;
import io.gleaner.gateway.ServerTls;
import io.gleaner.http.Connections;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.ConsoleSettings;
import io.gleaner.http.ConsoleTls;
import io.gleaner.http.Edge;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Problem;
import io.gleaner.live.Events;
import io.gleaner.live.LiveHub;
import io.gleaner.rest.AccountOperations;
import io.gleaner.rest.Accounts;
import io.gleaner.rest.AuditOperations;
import io.gleaner.rest.BagOperations;
import io.gleaner.rest.BlobOperations;
import io.gleaner.rest.CompletionOperations;
import io.gleaner.rest.MarketOperations;
import io.gleaner.rest.MemberOperations;
import io.gleaner.rest.ProblemAnswer;
import io.gleaner.rest.RestApi;
import io.gleaner.rest.ResultOperations;
import io.gleaner.rest.SignatureOperations;
import io.gleaner.rest.SignerOperations;
import io.gleaner.rest.UserOperations;
import io.gleaner.rest.VisibleBags;
import io.gleaner.rest.VisibleLaunchers;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.OpenIdSignIn;
import io.gleaner.signin.SignIn;
import io.gleaner.verification.Receipts;
import io.gleaner.volunteer.BrowserSockets;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console of a node: pages, REST and event streams on one port, over TLS or on loopback only.
 *
 * <p>One event loop serves it all; everything that blocks runs in bounded pools beside it. Safe for
 * all threads but that event loop.
 */
public final class ConsoleServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleServer.class);
  private static final int IDLE_SECONDS = 60;
  private static final int DOWNLOADS = 4;
  private static final int MOST_WAITING = 500;
  private static final int MOST_WAITING_DOWNLOADS = 100;

  /** As many hashes as are computed at a time; who waits for one holds up no other request. */
  private static final int PASSWORDS = 2;

  private static final int MOST_WAITING_PASSWORDS = 30;
  private static final long START_SECONDS = 20;
  private static final long CLOSE_SECONDS = 5;

  private final Context loop;
  private final OffLoop offLoop;
  private final OffLoop downloads;
  private final OffLoop passwords;
  private final LiveHub hub;
  private final RestApi api;
  private static final String API = "/api/";

  /** What the router itself answers: nothing is there, or not by this method. */
  private static final int[] NO_ROUTE = {404, 405};

  private final ConsoleSettings settings;
  private final ConsoleAddress at;
  private final Router router;
  private final Optional<OpenIdSignIn> openId;
  private HttpServer server;

  private ConsoleServer(
      Vertx vertx, ConsoleSettings settings, ConsoleParts parts, ConsoleAddress at) {
    this.settings = settings;
    this.at = at;
    loop = vertx.getOrCreateContext();
    offLoop = new OffLoop(vertx, "console", settings.workers(), MOST_WAITING);
    downloads = new OffLoop(vertx, "console-download", DOWNLOADS, MOST_WAITING_DOWNLOADS);
    passwords = new OffLoop(vertx, "console-passwords", PASSWORDS, MOST_WAITING_PASSWORDS);
    Authentication authentication =
        new Authentication(parts.users(), parts.sessions(), parts.apiTokens(), offLoop, settings);
    SignIn signIn =
        new SignIn(
            parts.users(),
            parts.sessions(),
            authentication,
            parts.auditing().log(),
            offLoop,
            passwords);
    openId =
        parts
            .openId()
            .map(
                provider ->
                    new OpenIdSignIn(
                        vertx,
                        provider,
                        new OpenIdSignIn.Parts(
                            parts.users().ofProvider(Members::haveName),
                            parts.users(),
                            parts.sessions(),
                            authentication,
                            parts.welcome(),
                            offLoop,
                            parts.clock())));
    VisibleBags visible = new VisibleBags(parts.bags(), parts.auditing().log());
    Accounts accounts =
        new Accounts(parts.users(), parts.sessions(), parts.apiTokens(), parts.welcome());
    VisibleLaunchers visibleLaunchers = new VisibleLaunchers(parts.market());
    hub =
        new LiveHub(
            vertx,
            offLoop,
            parts.bags(),
            parts.market(),
            parts.clock(),
            settings.maxStreams(),
            settings.maxStreamsPerCaller(),
            authentication::isStillSignedIn);
    api =
        new RestApi(
            new BagOperations(parts.bags(), visible, parts.market(), parts.clock(), offLoop),
            new ResultOperations(parts.bags(), visible, parts.blobs().all(), offLoop, downloads),
            new SignatureOperations(
                visible, new Receipts(parts.auditing().database()), parts.members(), offLoop),
            new CompletionOperations(
                parts.bags(), visible, parts.blobs().all(), parts.clock(), offLoop),
            new BlobOperations(
                vertx, parts.blobs(), offLoop, settings.uploadFolder(), settings.maxBlobBytes()),
            new MarketOperations(
                parts.node(), parts.market(), visible, visibleLaunchers, hub, offLoop),
            new AccountOperations(parts.ledger(), offLoop),
            new UserOperations(accounts, offLoop, passwords),
            new AuditOperations(parts.auditing(), offLoop, downloads),
            new SignerOperations(parts.signers(), parts.members(), offLoop),
            new MemberOperations(parts.members(), parts.users(), parts.node(), offLoop),
            new Events(hub, parts.bags(), offLoop),
            authentication,
            settings);
    Frames frames = new Frames(hub, parts.node());
    Pages pages =
        new Pages(
            new SignInPage(signIn, openId, authentication, frames),
            new OverviewPage(
                visible, visibleLaunchers, parts.ledger(), hub, frames, parts.clock(), offLoop),
            new BagPage(
                parts.bags(),
                visible,
                parts.market(),
                parts.blobs().all(),
                frames,
                parts.clock(),
                offLoop),
            new SubmitPage(parts.bags(), parts.blobs(), frames, offLoop),
            new UsersPage(accounts, frames, offLoop, passwords),
            new Assets(),
            frames,
            authentication,
            settings);
    router = Router.router(vertx);
    router.route().handler(new Edge(settings));
    parts
        .browsers()
        .ifPresent(
            entry ->
                new BrowserSockets(vertx, entry, parts.members(), authentication, offLoop)
                    .addTo(router));
    router.route(API + "v1/*").subRouter(api.router(vertx));
    pages.addTo(router);
    for (int status : NO_ROUTE) {
      Problem problem = Problem.ofStatus(status);
      router.errorHandler(
          status,
          ctx -> {
            if (ctx.request().path().startsWith(API)) {
              ProblemAnswer.send(ctx, problem);
            } else {
              pages.show(ctx, problem);
            }
          });
    }
  }

  /**
   * Starts the console and returns when it answers.
   *
   * @throws ConsoleException PORT_TAKEN if the address cannot be opened
   * @throws io.gleaner.secrets.SecurityRefusal if the host is unknown, or not loopback and there is
   *     no TLS
   */
  public static ConsoleServer start(Vertx vertx, ConsoleSettings settings, ConsoleParts parts) {
    ConsoleAddress at = ConsoleAddress.of(settings);
    try {
      Files.createDirectories(settings.uploadFolder());
    } catch (IOException e) {
      throw new UncheckedIOException("the console's upload folder could not be made", e);
    }
    ConsoleServer console = new ConsoleServer(vertx, settings, parts, at);
    try {
      await(console.onLoop(() -> console.listen(vertx)), START_SECONDS);
    } catch (ExecutionException e) {
      console.close();
      throw new ConsoleException(
          Code.PORT_TAKEN,
          "the console cannot listen on "
              + settings.host()
              + ":"
              + settings.port()
              + " ("
              + e.getCause().getMessage()
              + "); end the program that holds the port, or choose another",
          e.getCause());
    } catch (TimeoutException e) {
      console.close();
      throw new ConsoleException(
          Code.INTERNAL, "the console did not start within " + START_SECONDS + " seconds", e);
    }
    LOG.info("console at {}", console.address());
    return console;
  }

  public int port() {
    return server.actualPort();
  }

  /** Where to point a browser. */
  public URI address() {
    return at.url(port());
  }

  /** Every operation of the REST interface as method and path. */
  public java.util.List<String> operations() {
    return api.operations();
  }

  /** Ends the streams, then the port, then the pools; takes at most a few seconds. */
  @Override
  public void close() {
    try {
      await(onLoop(this::stop), CLOSE_SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the console did not end in order", e);
    } finally {
      offLoop.close();
      downloads.close();
      passwords.close();
    }
  }

  private Future<Void> listen(Vertx vertx) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(at.address().getHostAddress())
            .setPort(settings.port())
            .setUseAlpn(false)
            .setHttp2ClearTextEnabled(false)
            .setIdleTimeout(IDLE_SECONDS)
            .setIdleTimeoutUnit(TimeUnit.SECONDS)
            .setCompressionSupported(false);
    BrowserSockets.bound(options);
    settings
        .tls()
        .ifPresent(tls -> ServerTls.useOneSided(options, tls.keys(), ConsoleTls.IN_CLEAR));
    server =
        vertx.createHttpServer(options).connectionHandler(new Connections()).requestHandler(router);
    return server
        .listen()
        .map(
            listening -> {
              hub.start();
              openId.ifPresent(OpenIdSignIn::look);
              return null;
            });
  }

  private Future<Void> stop() throws Exception {
    hub.close();
    return server == null ? Future.succeededFuture() : server.close();
  }

  private Future<Void> onLoop(Callable<Future<Void>> work) {
    Promise<Void> promise = Promise.promise();
    loop.runOnContext(
        start -> {
          try {
            work.call().onComplete(promise);
          } catch (Exception e) {
            promise.fail(e);
          }
        });
    return promise.future();
  }

  private static void await(Future<Void> future, long seconds)
      throws ExecutionException, TimeoutException {
    try {
      future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConsoleException(Code.INTERNAL, "interrupted while the console waited", e);
    }
  }
}

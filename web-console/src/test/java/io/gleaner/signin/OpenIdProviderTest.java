package io.gleaner.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gleaner.http.ConsoleException;
import io.gleaner.secrets.Secret;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** What a provider may say of itself, how often it is asked, and which of its tokens count. */
@Timeout(60)
@Tag("S10")
class OpenIdProviderTest {
  private static final String BACK = "http://127.0.0.1:1/signin/openid/back";

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient browser = HttpClient.newHttpClient();
  private final AtomicLong nanos = new AtomicLong();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(OpenIdProvider.class);
  private TestProvider there;

  @BeforeEach
  void starts() throws Exception {
    there = new TestProvider();
    there.serves("subject", "nina");
    log.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
  }

  @AfterEach
  void ends() throws Exception {
    logger.detachAppender(log);
    logger.setLevel(null);
    there.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private OpenIdProvider provider(String issuer, Duration patience) {
    return new OpenIdProvider(
        vertx,
        new OpenIdSettings(
            issuer,
            TestProvider.CLIENT,
            Secret.of(TestProvider.SECRET),
            "Example Works",
            List.of(),
            Admission.usual(),
            patience),
        InstantSource.system(),
        nanos::get);
  }

  private OpenIdProvider provider() {
    return provider(there.issuer(), Duration.ofSeconds(30));
  }

  /** Does it on the event loop and waits. */
  private <T> T now(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    vertx.runOnContext(start -> work.get().onComplete(done));
    try {
      return done.future().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ConsoleException refusal) {
        throw refusal;
      }
      throw new IllegalStateException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void passes(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private Map<String, Object> signIn(OpenIdProvider provider) {
    OpenIdFlow flow = OpenIdFlow.begin(BACK, "/", "192.0.2.7", InstantSource.system().instant());
    String entrance = now(() -> provider.entrance(flow));
    try {
      HttpResponse<Void> away =
          browser.send(
              HttpRequest.newBuilder(URI.create(entrance)).build(),
              HttpResponse.BodyHandlers.discarding());
      String code =
          away.headers().firstValue("Location").orElseThrow().replaceAll(".*code=([^&]*)&.*", "$1");
      return now(() -> provider.claims(flow, code));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private List<String> told() {
    return log.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  @Test
  void whatItSaysOfItselfIsNotBelievedBlindlyAndToldOnce() {
    OpenIdProvider provider = provider();
    List<UnaryOperator<JsonObject>> lies =
        List.of(
            said -> said.put("issuer", "https://login.example.com"),
            said -> said.put("issuer", there.issuer() + "/"),
            said -> said.put("token_endpoint", "http://login.example.com/token"),
            said -> said.put("authorization_endpoint", "javascript:alert(1)"),
            said -> said.put("authorization_endpoint", 7),
            said -> said.put("jwks_uri", there.issuer() + "/nowhere"),
            said -> said.put("jwks_uri", there.issuer() + TestProvider.ITSELF),
            said -> said.put("token_endpoint_auth_methods_supported", new JsonArray().add("none")),
            said -> said.put("more", "x".repeat(300 * 1024)),
            said -> new JsonObject());
    for (UnaryOperator<JsonObject> lie : lies) {
      there.saysOfItself(lie);
      assertThat(now(provider::look)).isFalse();
      passes(Duration.ofSeconds(2));
    }
    there.answers(TestProvider.ITSELF, request -> request.response().setStatusCode(500).end());
    assertThat(now(provider::look)).isFalse();
    passes(Duration.ofSeconds(2));
    there.answers(
        TestProvider.ITSELF,
        request -> request.response().setStatusCode(302).putHeader("Location", "/elsewhere").end());
    assertThat(now(provider::look)).isFalse();
    assertThat(there.asked("/elsewhere")).isZero();
    assertThatThrownBy(() -> signIn(provider))
        .isInstanceOf(ConsoleException.class)
        .hasMessage("Example Works does not answer now; try again later");
    assertThat(told()).singleElement().asString().startsWith("WARN").contains("another issuer");

    there.serves("subject", "nina");
    passes(Duration.ofSeconds(2));
    assertThat(now(provider::look)).isTrue();
    passes(Duration.ofMinutes(20));
    assertThat(now(provider::look)).isTrue();
    assertThat(told()).hasSize(2).last().asString().startsWith("INFO people can sign in");
  }

  @Test
  void itIsAskedOnceASecondWhileItIsAwayAndEachQuarterOfAnHourElse() {
    OpenIdProvider provider = provider();
    there.answers(TestProvider.ITSELF, request -> request.response().setStatusCode(503).end());
    for (int i = 0; i < 5; i++) {
      assertThat(now(provider::look)).isFalse();
    }
    assertThat(there.asked(TestProvider.ITSELF)).isEqualTo(1);
    there.serves("subject", "nina");
    passes(Duration.ofSeconds(2));
    for (int i = 0; i < 5; i++) {
      assertThat(now(provider::look)).isTrue();
    }
    assertThat(there.asked(TestProvider.ITSELF)).isEqualTo(2);
    passes(Duration.ofMinutes(16));
    assertThat(now(provider::look)).isTrue();
    assertThat(there.asked(TestProvider.KEYS)).isEqualTo(2);
  }

  @Test
  void oneThatTakesTooLongIsAway() throws Exception {
    OpenIdProvider provider = provider(there.issuer(), Duration.ofMillis(300));
    there.answers(TestProvider.ITSELF, request -> {});
    assertThat(now(provider::look)).isFalse();
    passes(Duration.ofSeconds(2));
    there.answers(
        TestProvider.ITSELF,
        request -> request.response().setChunked(true).write("{").onComplete(sent -> {}));
    assertThat(now(provider::look)).isFalse();
    passes(Duration.ofSeconds(2));
    there.goesAway();
    assertThat(now(provider::look)).isFalse();
    assertThat(told()).hasSize(1);
  }

  @Test
  @SuppressWarnings("removal") // Vert.x has nothing in its place.
  void aServerWithACertificateThatNobodyVouchesForIsAway() throws Exception {
    SelfSignedCertificate own = SelfSignedCertificate.create("127.0.0.1");
    try {
      var server =
          vertx
              .createHttpServer(
                  new HttpServerOptions().setSsl(true).setKeyCertOptions(own.keyCertOptions()))
              .requestHandler(request -> request.response().end("{}"))
              .listen(0, "127.0.0.1")
              .toCompletionStage()
              .toCompletableFuture()
              .get(60, TimeUnit.SECONDS);
      String issuer = "https://127.0.0.1:" + server.actualPort();
      assertThat(now(provider(issuer, Duration.ofSeconds(30))::look)).isFalse();
      assertThat(told()).singleElement().asString().contains("valid certification path");
    } finally {
      own.delete();
    }
  }

  @Test
  void keysThatAreNotKnownAreAskedForAtABoundedRate() {
    OpenIdProvider provider = provider();
    assertThat(signIn(provider)).containsEntry("sub", "subject");
    there.rotates();
    assertThat(signIn(provider)).as("a new key").containsEntry("sub", "subject");
    there.signsWithForeignKey("nobody-knows");
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> signIn(provider)).hasMessageContaining("not signed by the provider");
    }
    assertThat(there.asked(TestProvider.KEYS)).isEqualTo(1 + 5);
    passes(Duration.ofMinutes(1));
    assertThatThrownBy(() -> signIn(provider)).hasMessageContaining("not signed by the provider");
    assertThat(there.asked(TestProvider.KEYS)).isEqualTo(1 + 6);
  }

  @Test
  void thatItTakesNoCodesIsToldOnce() {
    OpenIdProvider provider = provider();
    assertThat(now(provider::look)).isTrue();
    there.answers(TestProvider.TOKEN, request -> request.response().setStatusCode(502).end());
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> signIn(provider)).hasMessageContaining("does not answer now");
    }
    there.serves("subject", "nina");
    assertThat(signIn(provider)).containsEntry("sub", "subject");
    assertThat(told()).hasSize(3);
    assertThat(told().get(1)).startsWith("WARN").contains("it answered 502");
    assertThat(told().get(2)).startsWith("INFO people can sign in");
  }

  @Test
  void theSecretGoesAsTheProviderWantsIt() {
    OpenIdProvider provider = provider();
    there.saysOfItself(
        said ->
            said.put(
                "token_endpoint_auth_methods_supported",
                new JsonArray().add("client_secret_post")));
    assertThat(signIn(provider)).containsEntry("preferred_username", "nina");
  }

  @Test
  void claimsThatAreNotForThisSignInAreRefused() {
    OpenIdProvider provider = provider();
    long now = InstantSource.system().millis() / 1000;
    refuses(provider, "aud", claims -> claims.put("aud", "another"));
    refuses(provider, "missing required aud", claims -> without(claims, "aud"));
    refuses(
        provider,
        "for another client",
        claims -> claims.put("aud", new JsonArray().add(TestProvider.CLIENT).add("x")));
    refuses(provider, "for another client", claims -> claims.put("azp", "x"));
    refuses(provider, "iss", claims -> claims.put("iss", there.issuer() + "/"));
    refuses(provider, "Expired", claims -> claims.put("exp", now - 120));
    refuses(provider, "before use", claims -> claims.put("nbf", now + 3600));
    refuses(provider, "not issued just now", claims -> claims.put("iat", now - 3600));
    refuses(provider, "not issued just now", claims -> claims.put("iat", now + 3600));
    refuses(provider, "answers another", claims -> claims.put("nonce", "x"));
    refuses(provider, "answers another", claims -> claims.put("nonce", ""));
    for (String needed : List.of("iss", "sub", "exp", "iat", "nonce")) {
      refuses(provider, needed, claims -> without(claims, needed));
    }
    refuses(provider, "the ID token", claims -> claims.put("nonce", 7));
    refuses(provider, "longer than", claims -> claims.put("more", "x".repeat(20_000)));
    there.lies(
        claims ->
            claims
                .put("aud", new JsonArray().add(TestProvider.CLIENT).add("x"))
                .put("azp", TestProvider.CLIENT)
                .put("exp", now - 30));
    assertThat(signIn(provider)).as("within a minute").containsEntry("sub", "subject");
  }

  private void refuses(OpenIdProvider provider, String why, UnaryOperator<JsonObject> lie) {
    there.lies(lie);
    assertThatThrownBy(() -> signIn(provider))
        .isInstanceOfSatisfying(
            ConsoleException.class,
            e -> assertThat(e.code()).isEqualTo(ConsoleException.Code.FORGED))
        .hasMessageContaining(why);
  }

  private static JsonObject without(JsonObject claims, String name) {
    claims.remove(name);
    return claims;
  }
}

package io.gleaner.signin;

import com.nimbusds.jwt.SignedJWT;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.leasing.Ticker;
import io.gleaner.limits.Rate;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An OpenID provider: where people are sent, and what their codes are worth. What it says of itself
 * and its keys are asked when they are needed: every quarter of an hour, when a token names a key
 * that is not known (at most five times at once, and once more a minute), and at most once a second
 * while it is away. To be used on one event loop.
 */
final class OpenIdProvider {
  private static final Logger LOG = LoggerFactory.getLogger(OpenIdProvider.class);
  private static final Duration FRESH = Duration.ofMinutes(15);
  private static final Duration AWAY = Duration.ofSeconds(1);
  private static final int NEW_KEYS_AT_ONCE = 5;
  private static final Duration NEW_KEYS = Duration.ofMinutes(1);

  private record Known(ProviderFacts facts, ProviderKeys keys) {}

  private enum Last {
    NOTHING,
    ANSWERED,
    FAILED
  }

  private final ProviderCalls calls;
  private final OpenIdSettings settings;
  private final IdTokens tokens;
  private final Ticker ticker;
  private final Rate newKeys;
  private Future<Known> known = Future.failedFuture("not asked yet");
  private long askedNanos;
  private Last last = Last.NOTHING;

  OpenIdProvider(Vertx vertx, OpenIdSettings settings, InstantSource clock, Ticker ticker) {
    this.calls = new ProviderCalls(vertx, settings.patience());
    this.settings = settings;
    this.tokens = new IdTokens(settings, clock);
    this.ticker = ticker;
    this.newKeys = new Rate(NEW_KEYS_AT_ONCE, NEW_KEYS, ticker::nanos);
  }

  /** Whether the provider is there; the log has a sentence if that is new. */
  Future<Boolean> look() {
    return known().map(true).otherwise(false);
  }

  /** Where to send a browser; fails with UNAVAILABLE if the provider does not answer. */
  Future<String> entrance(OpenIdFlow flow) {
    return known()
        .map(
            it ->
                it.facts().authorization()
                    + (it.facts().authorization().indexOf('?') < 0 ? "?" : "&")
                    + form(
                        "response_type", "code",
                        "scope", settings.scopes(),
                        "client_id", settings.clientId(),
                        "redirect_uri", flow.redirect(),
                        "state", flow.state().reveal(),
                        "nonce", flow.nonce().reveal(),
                        "code_challenge", flow.challenge(),
                        "code_challenge_method", "S256"));
  }

  /**
   * What the provider says of whoever brings the code; fails with FORGED if anything is wrong, and
   * with UNAVAILABLE if the provider does not answer.
   */
  Future<Map<String, Object>> claims(OpenIdFlow flow, String code) {
    return known()
        .compose(it -> exchange(it.facts(), flow, code))
        .compose(
            answer ->
                answer.getValue("id_token") instanceof String text
                    ? checked(text, flow)
                    : Future.failedFuture(refused("the provider sent no ID token")));
  }

  private Future<JsonObject> exchange(ProviderFacts facts, OpenIdFlow flow, String code) {
    String form =
        form(
            "grant_type",
            "authorization_code",
            "code",
            code,
            "redirect_uri",
            flow.redirect(),
            "code_verifier",
            flow.verifier().reveal());
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    if (facts.basic()) {
      headers.add("Authorization", basic());
    } else {
      form +=
          "&"
              + form(
                  "client_id", settings.clientId(),
                  "client_secret", settings.clientSecret().reveal());
    }
    return calls
        .post(facts.token(), headers, form)
        .onSuccess(answer -> answered())
        .recover(
            failure -> {
              if (failure instanceof ProviderCalls.Refused no && no.isOurFault()) {
                LOG.info("the OpenID provider took no code: {}", no.getMessage());
                return Future.failedFuture(refused("the provider did not take the code"));
              }
              failed(failure);
              return Future.failedFuture(away());
            });
  }

  private Future<Map<String, Object>> checked(String text, OpenIdFlow flow) {
    try {
      SignedJWT token = tokens.read(text);
      return known()
          .compose(
              it ->
                  it.keys().know(token.getHeader()) ? Future.succeededFuture(it) : askForNewKeys())
          .compose(it -> claims(token, it.keys(), flow));
    } catch (IdTokens.Refused e) {
      return Future.failedFuture(refused(e.getMessage()));
    }
  }

  private Future<Map<String, Object>> claims(SignedJWT token, ProviderKeys keys, OpenIdFlow flow) {
    try {
      return Future.succeededFuture(tokens.claims(token, keys, flow.nonce()));
    } catch (IdTokens.Refused e) {
      return Future.failedFuture(refused(e.getMessage()));
    }
  }

  private Future<Known> askForNewKeys() {
    return newKeys.asks() == 0 ? ask() : known();
  }

  private Future<Known> known() {
    if (!known.isComplete()) {
      return known;
    }
    Duration good = known.succeeded() ? FRESH : AWAY;
    boolean old = last == Last.NOTHING || ticker.nanos() - askedNanos > good.toNanos();
    return old ? ask() : known;
  }

  private Future<Known> ask() {
    askedNanos = ticker.nanos();
    known =
        calls
            .get(ProviderFacts.place(settings))
            .map(said -> ProviderFacts.read(said, settings))
            .compose(
                facts -> calls.get(facts.keys()).map(set -> new Known(facts, ProviderKeys.of(set))))
            .compose(
                it ->
                    it.keys().isEmpty()
                        ? Future.failedFuture("it has no key for RS256 or ES256")
                        : Future.succeededFuture(it))
            .onSuccess(it -> answered())
            .recover(
                failure -> {
                  failed(failure);
                  return Future.failedFuture(away());
                });
    return known;
  }

  private void answered() {
    if (last != Last.ANSWERED) {
      LOG.info("people can sign in by the OpenID provider {}", settings.issuer());
    }
    last = Last.ANSWERED;
  }

  private void failed(Throwable failure) {
    if (last == Last.FAILED) {
      LOG.debug("the OpenID provider {} still: {}", settings.issuer(), reason(failure));
    } else {
      LOG.warn(
          "the OpenID provider {} cannot be used now, and is asked again when somebody signs in:"
              + " {}",
          settings.issuer(),
          reason(failure));
    }
    last = Last.FAILED;
  }

  /** TLS says in the innermost cause what it is that nobody vouches for. */
  private static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return innermost == failure
        ? failure.getMessage()
        : failure.getMessage() + " (" + innermost.getMessage() + ")";
  }

  private String basic() {
    // RFC 6749, 2.3.1: both are form-encoded first.
    String both = encode(settings.clientId()) + ":" + encode(settings.clientSecret().reveal());
    return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.US_ASCII));
  }

  private static String form(String... namesAndValues) {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      form.append(i == 0 ? "" : "&")
          .append(namesAndValues[i])
          .append('=')
          .append(encode(namesAndValues[i + 1]));
    }
    return form.toString();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private ConsoleException away() {
    return new ConsoleException(
        Code.UNAVAILABLE, settings.name() + " does not answer now; try again later");
  }

  private static ConsoleException refused(String why) {
    return new ConsoleException(Code.FORGED, why);
  }
}

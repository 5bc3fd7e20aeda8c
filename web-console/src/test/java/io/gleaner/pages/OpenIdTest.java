package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.audit.Actor;
import io.gleaner.identity.Role;
import io.gleaner.secrets.Secret;
import io.gleaner.signin.Admission;
import io.gleaner.signin.Admission.Condition;
import io.gleaner.signin.OpenIdSettings;
import io.gleaner.signin.TestProvider;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Signing in by a real OpenID provider on loopback, and what is no such sign-in. All refusals here
 * together stay below the fifty that an address may have.
 */
@Timeout(120)
@Tag("S10")
class OpenIdTest {
  private static final String NOT_BEGUN = "was not begun in this browser";

  @TempDir private static Path folder;
  private static TestProvider provider;
  private static TestConsole console;

  @BeforeAll
  static void starts() throws Exception {
    provider = new TestProvider();
    console =
        TestConsole.startWith(
            folder,
            new OpenIdSettings(
                provider.issuer(),
                TestProvider.CLIENT,
                Secret.of(TestProvider.SECRET),
                "Example Works",
                List.of(),
                new Admission(
                    Admission.USUAL_CLAIM,
                    Set.of(Role.SUBMITTER),
                    List.of(Condition.parse("groups=gleaner"))),
                Duration.ofSeconds(10)));
  }

  @AfterAll
  static void ends() throws Exception {
    console.close();
    provider.close();
  }

  /** Somebody of the right group sits before the browser. */
  private static void serves(String subject, String name) {
    provider.serves(subject, name);
    lies(claims -> claims);
  }

  private static void lies(UnaryOperator<JsonObject> what) {
    provider.lies(
        claims -> what.apply(claims.put("groups", new JsonArray().add("staff").add("gleaner"))));
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static String away(Client browser) {
    HttpResponse<String> away = browser.get("/signin/openid?then=/submit");
    assertThat(away.statusCode()).as(away.body()).isEqualTo(302);
    return header(away, "Location");
  }

  /** Goes to the provider; returns where it sends the browser back. */
  private static String awayAndBack(Client browser) {
    HttpResponse<String> back = browser.get(away(browser));
    assertThat(back.statusCode()).as(back.body()).isEqualTo(302);
    return header(back, "Location");
  }

  private static HttpResponse<String> signIn(Client browser) {
    return browser.get(awayAndBack(browser));
  }

  private static void isSignedIn(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("Signed in as");
  }

  private static void isRefused(HttpResponse<String> answer, Client browser, String why) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(400, 499);
    assertThat(answer.body()).contains(why);
    assertThat(answer.headers().allValues("Set-Cookie"))
        .noneMatch(cookie -> cookie.startsWith("gleaner-session"));
    assertThat(browser.get("/api/v1/status").statusCode()).isEqualTo(401);
  }

  private static void refusesSignIn(String why) {
    Client browser = console.stranger();
    isRefused(signIn(browser), browser, why);
  }

  private static String log() {
    return console.program("auda").get("/api/v1/audit/log").body();
  }

  @Test
  void aNewUserComesInWithoutAPasswordAndIsTheSameOneLater() {
    serves("subject-1", "nina@example.com");
    Client browser = console.stranger();
    assertThat(browser.get("/signin?then=/submit").body())
        .contains("Sign in with Example Works", "/signin/openid?then=/submit");
    HttpResponse<String> answer = signIn(browser);
    isSignedIn(answer);
    assertThat(header(answer, "Refresh")).isEqualTo("0; url=/submit");
    assertThat(header(answer, "Content-Security-Policy")).contains("default-src 'none'");
    assertThat(answer.headers().allValues("Set-Cookie"))
        .anyMatch(
            cookie ->
                cookie.startsWith("gleaner-session-")
                    && cookie.contains("HTTPOnly")
                    && cookie.contains("SameSite=Strict"));
    String form = browser.get("/submit").body();
    assertThat(browser.postForm("/submit", Map.of("csrf", "forged")).statusCode()).isEqualTo(403);
    assertThat(Client.csrfOf(form)).isNotEmpty();
    assertThat(console.users().find("nina@example.com").orElseThrow().roles())
        .containsExactly(Role.SUBMITTER);

    serves("subject-1", "olga");
    provider.signsBy("ES256");
    HttpResponse<String> later = signIn(console.stranger());
    isSignedIn(later);
    assertThat(later.body()).contains("Signed in as nina@example.com");
    assertThat(log())
        .contains("USER_ADDED", "\"deed\":\"SIGN_IN\"", "issuer=" + provider.issuer())
        .doesNotContain(TestProvider.SECRET);

    console.users().changeRoles(Actor.NODE, "nina@example.com", Set.of());
    assertThat(browser.get("/api/v1/status").statusCode()).isEqualTo(401);
    refusesSignIn("nina@example.com has no role here any more");
  }

  @Test
  void whatIsAskedOfTheProviderIsBoundToThisBrowser() {
    serves("subject-2", "nils");
    Client browser = console.stranger();
    HttpResponse<String> away = browser.get("/signin/openid");
    assertThat(header(away, "Location"))
        .startsWith(provider.issuer() + "/authorize?response_type=code&scope=openid+profile&")
        .contains("code_challenge_method=S256", "&state=", "&nonce=", "code_challenge=")
        .contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A" + console.server().port());
    assertThat(header(away, "Set-Cookie"))
        .startsWith("gleaner-openid-")
        .contains("Max-Age=600", "HTTPOnly", "SameSite=Lax", "Path=/signin/openid");
    for (String elsewhere :
        List.of("//evil.example", "https://evil.example", "/\\evil.example", "/%0d%0aX:y")) {
      assertThat(
              header(
                  browser.get("/signin/openid?then=" + elsewhere.replace("\\", "%5C")), "Location"))
          .startsWith(provider.issuer());
      assertThat(header(signInTo(browser, elsewhere), "Refresh")).isEqualTo("0; url=/");
    }
  }

  private static HttpResponse<String> signInTo(Client browser, String then) {
    String entrance =
        header(browser.get("/signin/openid?then=" + then.replace("\\", "%5C")), "Location");
    return browser.get(header(browser.get(entrance), "Location"));
  }

  @Test
  void anAnswerThatThisBrowserDidNotAskForIsRefused() {
    serves("subject-3", "noah");
    Client victim = console.stranger();
    isRefused(victim.get("/signin/openid/back?code=x&state=y"), victim, NOT_BEGUN);
    isRefused(victim.get("/signin/openid/back"), victim, NOT_BEGUN);

    Client attacker = console.stranger();
    isRefused(victim.get(awayAndBack(attacker)), victim, NOT_BEGUN);
    String own = awayAndBack(victim);
    isRefused(victim.get(awayAndBack(attacker)), victim, NOT_BEGUN);
    isRefused(victim.get(own), victim, NOT_BEGUN);
    isRefused(
        victim.get(awayAndBack(victim).replaceAll("state=.*", "state=wrong")), victim, NOT_BEGUN);
    isRefused(victim.get(awayAndBack(victim).replace("127.0.0.1", "localhost")), victim, NOT_BEGUN);

    Client again = console.stranger();
    String answer = awayAndBack(again);
    isSignedIn(again.get(answer));
    assertThat(again.get(answer).body()).as("served once").contains(NOT_BEGUN);
  }

  @Test
  void aCodeServesOnceAndForWhomItWasMade() {
    serves("subject-4", "nora");
    Client first = console.stranger();
    String used = awayAndBack(first);
    isSignedIn(first.get(used));
    String usedCode = used.replaceAll(".*code=([^&]*)&.*", "$1");
    Client browser = console.stranger();
    isRefused(
        browser.get(awayAndBack(browser).replaceAll("code=[^&]*", "code=" + usedCode)),
        browser,
        "did not take the code");
    String foreignCode = awayAndBack(console.stranger()).replaceAll(".*code=([^&]*)&.*", "$1");
    isRefused(
        browser.get(awayAndBack(browser).replaceAll("code=[^&]*", "code=" + foreignCode)),
        browser,
        "did not take the code");
    isRefused(
        browser.get(awayAndBack(browser).replaceAll("code=[^&]*", "error=access_denied")),
        browser,
        "the provider did not sign you in");
    isRefused(
        browser.get(awayAndBack(browser) + "&iss=https://login.example.com"),
        browser,
        "another provider has answered");
  }

  @Test
  void aTokenThatIsNotForThisSignInIsRefused() {
    serves("subject-5", "nele");
    long now = InstantSource.system().millis() / 1000;
    lies(claims -> claims.put("aud", "another"));
    refusesSignIn("not good here and now: JWT aud claim");
    lies(claims -> claims.put("iss", "https://login.example.com"));
    refusesSignIn("not good here and now: JWT iss claim");
    lies(claims -> claims.put("exp", now - 120));
    refusesSignIn("not good here and now: Expired JWT");
    lies(claims -> claims.put("nonce", "of-another-browser"));
    refusesSignIn("answers another sign-in");
    lies(claims -> claims.put("sub", ""));
    refusesSignIn("the provider names nobody");
    assertThat(console.users().find("nele")).isEmpty();
    assertThat(log()).contains("openid: the ID token answers", "\"outcome\":\"REFUSED\"");
  }

  @Test
  void aTokenThatTheProviderDidNotSignIsRefusedAndItsNewKeyIsTaken() {
    serves("subject-6", "nelly");
    provider.signsBy("none");
    refusesSignIn("the ID token is no signed token");
    provider.signsBy("HS256");
    refusesSignIn("not signed by RS256 or ES256");
    provider.signsBy("RS256");
    provider.signsWithForeignKey(provider.keyId());
    refusesSignIn("not signed by the provider");
    provider.signsWithForeignKey("nobody-knows");
    refusesSignIn("not signed by the provider");
    assertThat(console.users().find("nelly")).isEmpty();

    provider.rotates();
    isSignedIn(signIn(console.stranger()));
  }

  @Test
  void nobodyTakesTheNameOfSomebodyElse() throws Exception {
    console.tampers(
        "insert into pool_name (name, identity) values"
            + " ('monas-desk', 'gleaner://test/device/mona/monas-desk')");
    serves("subject-7", "olga");
    refusesSignIn("the name olga belongs to somebody else here");
    serves("subject-7", "Olga");
    refusesSignIn("the name Olga belongs to somebody else here");
    serves("subject-7", "mona");
    refusesSignIn("the name mona belongs to somebody else here");
    serves("subject-7", "two words");
    refusesSignIn("nothing that can be a name here");
    assertThat(console.browser("olga").get("/users").statusCode()).isEqualTo(200);
    assertThat(console.users().find("mona")).isEmpty();
  }

  @Test
  void whoIsNotOfThoseThatAreTakenStaysOutAlsoLater() {
    serves("subject-8", "nat");
    isSignedIn(signIn(console.stranger()));
    lies(claims -> claims.put("groups", new JsonArray().add("staff")));
    refusesSignIn("does not take everybody from Example Works");
    lies(
        claims -> {
          claims.remove("groups");
          return claims;
        });
    refusesSignIn("does not take everybody from Example Works");
  }

  @Test
  void aProviderThatIsAwayOrTalksRubbishStopsNobody() throws Exception {
    serves("subject-9", "nick");
    Client browser = console.stranger();
    String gone = awayAndBack(browser);
    provider.goesAway();
    HttpResponse<String> answer = browser.get(gone);
    provider.comesBack();
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.body()).contains("Example Works does not answer now; try again later");

    provider.answers(TestProvider.TOKEN, request -> request.response().end("[".repeat(300 * 1024)));
    assertThat(signIn(browser).statusCode()).isEqualTo(503);
    provider.answers(TestProvider.TOKEN, request -> request.response().end("<html>"));
    assertThat(signIn(browser).statusCode()).isEqualTo(503);
    provider.answers(TestProvider.TOKEN, request -> request.response().end("{}"));
    refusesSignIn("the provider sent no ID token");

    assertThat(console.browser("alice").get("/").statusCode()).isEqualTo(200);
    serves("subject-9", "nick");
    isSignedIn(signIn(browser));
  }
}

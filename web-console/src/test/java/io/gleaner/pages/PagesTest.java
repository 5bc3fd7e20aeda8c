package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.bag.Bags;
import io.gleaner.http.ConsoleException;
import io.gleaner.signing.Digests;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pages as a browser meets them. */
@Timeout(60)
class PagesTest extends WithConsole {
  @Test
  void aStrangerIsSentToSignInAndBackAfterwards() {
    for (String path : List.of("/", "/submit", "/bags/bag-1", "/bags/bag-1/results")) {
      HttpResponse<String> answer = console.stranger().get(path);
      assertThat(answer.statusCode()).isEqualTo(302);
      assertThat(answer.headers().firstValue("Location").orElse("")).startsWith("/signin?then=%2F");
    }
    Client stranger = console.stranger();
    String form = stranger.get("/signin?then=%2Fsubmit").body();
    HttpResponse<String> in =
        stranger.postForm(
            "/signin",
            Map.of(
                "csrf",
                Client.csrfOf(form),
                "name",
                "alice",
                "password",
                TestConsole.PASSWORD,
                "then",
                "/submit"));
    assertThat(in.headers().firstValue("Location")).contains("/submit");
    assertThat(in.headers().firstValue("Set-Cookie").orElse(""))
        .containsIgnoringCase("HttpOnly")
        .contains("SameSite=Strict");
  }

  @Test
  void signInRefusesWrongPasswordsForgedFormsAndOtherPlaces() {
    Client stranger = console.stranger();
    String csrf = Client.csrfOf(stranger.get("/signin?then=//elsewhere.example").body());
    HttpResponse<String> wrong =
        stranger.postForm(
            "/signin", Map.of("csrf", csrf, "name", "alice", "password", "wrong password"));
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).contains("no user has this name and this password");
    assertThat(wrong.body()).contains("value=\"alice\"");

    HttpResponse<String> forged =
        stranger.postForm(
            "/signin", Map.of("csrf", "x", "name", "alice", "password", TestConsole.PASSWORD));
    assertThat(forged.statusCode()).isEqualTo(403);

    String again = Client.csrfOf(stranger.get("/signin").body());
    HttpResponse<String> in =
        stranger.postForm(
            "/signin",
            Map.of(
                "csrf",
                again,
                "name",
                "alice",
                "password",
                TestConsole.PASSWORD,
                "then",
                "//elsewhere.example"));
    assertThat(in.headers().firstValue("Location")).contains("/");
  }

  @Test
  void withoutAnOpenIdProviderThereIsNoSuchWay() {
    Client stranger = console.stranger();
    assertThat(stranger.get("/signin").body()).doesNotContain("openid");
    for (String path : List.of("/signin/openid", "/signin/openid/back?code=x&state=y")) {
      assertThat(stranger.get(path).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aChangeWithoutTheTokenOfItsPageIsRefused() {
    submits("alice", "sweep");
    Client alice = console.browser("alice");

    assertThat(alice.postForm("/bags/bag-1/cancel", Map.of()).statusCode()).isEqualTo(403);
    assertThat(alice.postForm("/signout", Map.of("csrf", "guess")).statusCode()).isEqualTo(403);
    HttpResponse<String> json = alice.postJson("/api/v1/bags/bag-1/cancel", "{}");
    assertThat(json.statusCode()).isEqualTo(403);
    assertThat(json.body()).contains("\"code\":\"forged\"");
    assertThat(console.bags().find("bag-1").orElseThrow().state()).isEqualTo("OPEN");

    String csrf = Client.csrfOf(alice.get("/").body());
    assertThat(alice.postJson("/api/v1/bags/bag-1/cancel", "{}", "X-CSRF-Token", csrf).statusCode())
        .isEqualTo(200);
    assertThat(console.bags().find("bag-1").orElseThrow().state()).isEqualTo("CANCELLED");
  }

  @Test
  void signingOutEndsTheSession() {
    Client alice = console.browser("alice");
    String csrf = Client.csrfOf(alice.get("/").body());
    assertThat(alice.postForm("/signout", Map.of("csrf", csrf)).statusCode()).isEqualTo(303);
    assertThat(alice.get("/").statusCode()).isEqualTo(302);

    Client again = console.browser("alice");
    console.signsOut("alice");
    assertThat(again.get("/").statusCode()).isEqualTo(302);
  }

  @Test
  void aScriptInANameIsShownAsText() {
    submits("alice", "<script>alert(1)</script>");
    console.bags().ends("bag-1", 0, Optional.empty(), 0, "<img src=x onerror=alert(2)>");
    Client alice = console.browser("alice");
    for (String path : List.of("/", "/bags/bag-1", "/bags/bag-1/results")) {
      String page = alice.get(path).body();
      assertThat(page).doesNotContain("<script>alert").doesNotContain("<img src=x");
    }
    assertThat(alice.get("/").body()).contains("&lt;script&gt;alert(1)&lt;/script&gt;");
  }

  @Test
  void everyAnswerForbidsInlineScriptsFramesAndSniffing() {
    for (String path : List.of("/signin", "/assets/console.js", "/api/v1/health", "/nowhere")) {
      HttpResponse<String> answer = console.stranger().get(path);
      String policy = answer.headers().firstValue("Content-Security-Policy").orElse("");
      assertThat(policy)
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
    }
  }

  @Test
  void aPageThatIsNotThereIsAPageThatSaysSo() {
    var nowhere = console.browser("alice").get("/nowhere");
    assertThat(nowhere.statusCode()).isEqualTo(404);
    assertThat(nowhere.body()).contains("there is nothing here", "Back to the overview");
  }

  @Test
  void aBagOfSomebodyElseIsUnknown() {
    submits("alice", "sweep");
    Client bob = console.browser("bob");
    assertThat(bob.get("/bags/bag-1").statusCode()).isEqualTo(404);
    assertThat(bob.get("/bags/bag-1/results").statusCode()).isEqualTo(404);
    assertThat(bob.get("/").body()).contains("No bags yet").doesNotContain("/bags/bag-1");
    assertThat(console.browser("olga").get("/").body()).contains("/bags/bag-1");
  }

  @Test
  void theFormKeepsWhatWasGivenShowsErrorsByLineAndSubmitsOnce() throws IOException {
    Client alice = console.browser("alice");
    String form = alice.get("/submit").body();
    String csrf = Client.csrfOf(form);
    String key = form.replaceAll("(?s).*name=\"key\" value=\"([^\"]+)\".*", "$1");
    String wrong = RestTest.DESCRIPTION.replace("kind: java", "kind: cobol");

    HttpResponse<String> refused =
        alice.postMultipart(
            "/submit", Map.of("csrf", csrf, "key", key, "description", wrong), "sweep.jar", "jar");
    assertThat(refused.statusCode()).isEqualTo(422);
    String digest = Digests.sha256Hex("jar");
    assertThat(refused.body())
        .contains("kind: cobol")
        .contains("<li class=\"wrong\">")
        .contains("line 2")
        .contains(digest + ":sweep.jar")
        .contains(key);
    assertThat(console.blobs().read(digest)).isEqualTo("jar".getBytes(StandardCharsets.UTF_8));
    console.keepsNoUpload();

    Map<String, String> right =
        Map.of(
            "csrf",
            csrf,
            "key",
            key,
            "description",
            RestTest.DESCRIPTION,
            "kept",
            digest + ":sweep.jar");
    for (int click = 0; click < 2; click++) {
      HttpResponse<String> done = alice.postMultipart("/submit", right, "", "");
      assertThat(done.statusCode()).isEqualTo(303);
      assertThat(done.headers().firstValue("Location")).contains("/bags/bag-1");
    }
    assertThat(console.bags().list(Optional.empty(), 10)).hasSize(1);
    assertThat(alice.get("/bags/bag-1").body())
        .contains("can read the inputs")
        .contains("2 of 4 wanted slots");
  }

  @Test
  void aFormThatIsTooLongIsRefused() {
    Client alice = console.browser("alice");
    String csrf = Client.csrfOf(alice.get("/submit").body());
    HttpResponse<String> answer =
        alice.postMultipart(
            "/submit", Map.of("csrf", csrf, "key", "k"), "large.jar", "x".repeat(300 * 1024));
    assertThat(answer.statusCode()).isEqualTo(413);
  }

  @Test
  void aTakenPortIsSaidInASentence() {
    int taken = console.server().port();
    assertThatThrownBy(() -> TestConsole.start(folder.resolve("second"), taken).close())
        .isInstanceOf(ConsoleException.class)
        .hasMessageContaining(":" + taken)
        .hasMessageContaining("choose another");
  }

  private void submits(String user, String name) {
    String description = RestTest.DESCRIPTION.replace("name: sweep", "name: \"" + name + "\"");
    console
        .bags()
        .submit(
            user,
            new Bags.Submission(description, Map.of("target/sweep.jar", "0".repeat(64)), name));
  }
}

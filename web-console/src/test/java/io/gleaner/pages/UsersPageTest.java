package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users and tokens on the console's pages. */
@Timeout(60)
class UsersPageTest extends WithConsole {
  private static final Pattern TOKEN = Pattern.compile("data-token[^>]*>([A-Za-z0-9_-]{43})<");

  @Test
  void anOperatorAddsAUserAndGivesOtherRolesAndAPassword() {
    Client olga = console.browser("olga");
    String page = olga.get("/users").body();
    assertThat(page).contains("href=\"/users/alice\"", "Add a user");
    HttpResponse<String> added =
        post(
            olga,
            "/users",
            page,
            Map.of("name", "eve", "password", TestConsole.PASSWORD, "role", "submitter"));
    assertThat(added.statusCode()).isEqualTo(303);
    assertThat(added.headers().firstValue("Location")).contains("/users/eve");
    assertThat(olga.get("/users/eve").body()).contains("submitter");
    assertThat(post(olga, "/users/eve/roles", page, Map.of("role", "auditor")).statusCode())
        .isEqualTo(303);
    assertThat(
            post(olga, "/users/eve/password", page, Map.of("password", "another horse battery"))
                .statusCode())
        .isEqualTo(303);
    Client eve = Client.signedIn(console.server().address(), "eve", "another horse battery");
    assertThat(eve.get("/users").body()).contains("alice").doesNotContain("Add a user");
    assertThat(eve.get("/users/alice").body())
        .doesNotContain("Issue a token", "Change the password", "Change the roles");
  }

  @Test
  void aTokenIsShownOnceServesAndIsRevoked() {
    Client alice = console.browser("alice");
    String page = alice.get("/users/alice").body();
    assertThat(page).contains("Issue a token", "Current password").doesNotContain("<h2>Roles");
    HttpResponse<String> issued =
        post(
            alice,
            "/users/alice/tokens",
            page,
            Map.of("scope", "read", "days", "7", "label", "<script>alert(1)</script>"));
    assertThat(issued.statusCode()).isEqualTo(201);
    assertThat(issued.body()).contains("&lt;script&gt;").doesNotContain("<script>alert");
    Matcher token = TOKEN.matcher(issued.body());
    assertThat(token.find()).isTrue();
    Client program =
        Client.withToken(console.server().address(), io.gleaner.secrets.Secret.of(token.group(1)));
    assertThat(program.get("/api/v1/account").statusCode()).isEqualTo(200);

    String again = alice.get("/users/alice").body();
    assertThat(again).doesNotContain(token.group(1));
    Matcher id = Pattern.compile("name=\"token\" value=\"([0-9a-f]{12})\"").matcher(again);
    assertThat(id.find()).isTrue();
    assertThat(post(console.browser("bob"), "/users/alice/revoke", "", Map.of()).statusCode())
        .isEqualTo(403);
    assertThat(post(alice, "/users/alice/revoke", again, Map.of("token", id.group(1))).statusCode())
        .isEqualTo(303);
    assertThat(program.get("/api/v1/account").statusCode()).isEqualTo(401);
  }

  @Test
  @Tag("S10")
  void nobodySeesOrChangesOthersWithoutTheRole() {
    Client alice = console.browser("alice");
    String own = alice.get("/users/alice").body();
    assertThat(alice.get("/users").body()).contains("alice").doesNotContain("bob");
    assertThat(alice.get("/users/bob").statusCode()).isEqualTo(404);
    for (String change : new String[] {"roles", "password", "tokens"}) {
      HttpResponse<String> answer =
          post(
              alice,
              "/users/bob/" + change,
              own,
              Map.of("role", "operator", "password", "x".repeat(12), "scope", "full", "days", "1"));
      assertThat(answer.statusCode()).as(change).isEqualTo(403);
    }
    assertThat(post(alice, "/users/alice/roles", own, Map.of("role", "operator")).statusCode())
        .isEqualTo(403);
    HttpResponse<String> guessed =
        post(
            alice,
            "/users/alice/password",
            own,
            Map.of("current", "wrong", "password", "another horse battery"));
    assertThat(guessed.body()).contains("current password");
    assertThat(post(alice, "/users/alice/password", "", Map.of("password", "x")).statusCode())
        .as("without the page's token")
        .isEqualTo(403);
  }

  private static HttpResponse<String> post(
      Client browser, String path, String page, Map<String, String> fields) {
    Map<String, String> all = new java.util.HashMap<>(fields);
    all.put("csrf", page.isEmpty() ? "none" : Client.csrfOf(page));
    return browser.postForm(path, all);
  }
}

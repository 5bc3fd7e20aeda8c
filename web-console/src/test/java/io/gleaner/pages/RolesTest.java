package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.identity.TokenScope;
import io.gleaner.signing.Digests;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What each role may and may not, over the console's real port. Users: alice and bob submit, olga
 * operates, otto owns machines, auda audits. A bag and a token of alice's are there.
 */
@Timeout(120)
class RolesTest extends WithConsole {
  private static final byte[] BLOB = "a bundle".getBytes(StandardCharsets.UTF_8);

  @BeforeEach
  void start() {
    HttpResponse<String> submitted =
        RestTest.submit(console.program("alice"), "key-1", RestTest.DESCRIPTION);
    assertThat(submitted.statusCode()).isEqualTo(201);
  }

  /** The statuses in the order alice, bob, olga, otto, auda. */
  private record Row(String request, String body, int... statuses) {}

  private static final List<String> USERS = List.of("alice", "bob", "olga", "otto", "auda");

  private static final List<Row> TABLE =
      List.of(
          new Row("GET /status", "", 200, 200, 200, 200, 200),
          new Row("GET /account", "", 200, 200, 200, 200, 200),
          new Row("GET /bags", "", 200, 200, 200, 200, 200),
          new Row("GET /bags/bag-1", "", 200, 404, 200, 404, 200),
          new Row("GET /bags/bag-1/explain", "", 200, 404, 200, 404, 200),
          new Row("GET /bags/bag-1/results", "", 200, 404, 200, 404, 200),
          new Row("GET /bags/bag-1/completions", "", 200, 404, 200, 404, 200),
          new Row("GET /bags/bag-1/outputs.zip", "", 200, 404, 200, 404, 200),
          new Row("PUT /blobs/" + Digests.sha256Hex(BLOB), "", 201, 200, 200, 403, 403),
          new Row("GET /users", "", 200, 200, 200, 200, 200),
          new Row("POST /users", user("USER"), 403, 403, 201, 403, 403),
          new Row("POST /users/bob/roles", "{\"roles\":[\"SUBMITTER\"]}", 403, 403, 200, 403, 403),
          new Row("POST /users/auda/roles", "{\"roles\":[\"AUDITOR\"]}", 403, 403, 200, 403, 403),
          new Row("POST /users/nobody/roles", "{\"roles\":[]}", 403, 403, 404, 403, 403),
          new Row("POST /users/bob/password", password(), 403, 401, 204, 403, 403),
          new Row("GET /users/alice/tokens", "", 200, 403, 200, 403, 200),
          new Row("POST /users/alice/tokens", token(), 201, 403, 201, 403, 403),
          new Row("POST /users/auda/tokens", token(), 403, 403, 201, 403, 201),
          new Row("POST /tokens/000000000000/revoke", "{}", 404, 404, 404, 404, 404),
          new Row("GET /audit/log", "", 403, 403, 200, 403, 200),
          new Row("GET /audit/checkpoints", "", 403, 403, 200, 403, 200),
          new Row("POST /audit/verification", "{}", 403, 403, 200, 403, 200),
          // The operator's machine keeps its name, whoever else lends machines.
          new Row("POST /members", "{\"name\":\"d1\"}", 403, 403, 201, 422, 403),
          new Row("POST /members", "{\"name\":\"d1\",\"again\":true}", 403, 403, 201, 422, 403),
          new Row("POST /members", "{\"name\":\"d-USER\"}", 403, 403, 201, 201, 403),
          new Row("POST /members", "{\"owner\":\"olga\"}", 403, 403, 201, 403, 403),
          new Row("POST /members", "{\"owner\":\"nobody\"}", 403, 403, 400, 403, 403),
          new Row("POST /members", "{\"role\":\"machine\"}", 403, 403, 422, 403, 403),
          new Row("GET /invitations", "", 200, 200, 200, 200, 200),
          new Row("POST /invitations/d1/cancel", "", 404, 404, 200, 404, 404),
          new Row("POST /invitations/d-u-otto/cancel", "", 404, 404, 200, 404, 404),
          // Last, since it ends the bag.
          new Row("POST /bags/bag-1/cancel", "{}", 200, 404, 200, 404, 403));

  @Test
  @Tag("S3")
  @Tag("S10")
  void eachRoleMayWhatTheTableSaysAndNothingElse() {
    for (Row row : TABLE) {
      List<Integer> answered = new ArrayList<>();
      for (String user : USERS) {
        answered.add(
            call(console.program(user), row.request, row.body.replace("USER", "u-" + user)));
      }
      List<Integer> expected = new ArrayList<>();
      for (int status : row.statuses) {
        expected.add(status);
      }
      assertThat(answered).as(row.request + " by " + USERS).isEqualTo(expected);
    }
    assertThat(
            console
                .program("olga")
                .postJson("/api/v1/users/bob/roles", "{\"roles\":[\"KING\"]}")
                .body())
        .contains("the field 'roles' must be one of OWNER, SUBMITTER, OPERATOR, AUDITOR")
        .doesNotContain("io.gleaner");
    Client otto = console.program("otto");
    assertThat(call(otto, "POST /members", "{\"name\":\"desk\"}")).isEqualTo(201);
    assertThat(otto.get("/api/v1/invitations").body()).contains("desk").doesNotContain("olga");
    assertThat(call(otto, "POST /invitations/desk/cancel", "")).isEqualTo(200);
    assertThat(call(otto, "POST /invitations/desk/cancel", "")).isEqualTo(404);
    assertThat(console.program("bob").get("/api/v1/users").body())
        .contains("bob")
        .doesNotContain("alice");
  }

  @Test
  @Tag("S10")
  void aTokensScopeTakesFromItsUserWhatItDoesNotName() {
    Client reads = console.program("olga", TokenScope.READ);
    assertThat(call(reads, "GET /audit/log", "")).isEqualTo(200);
    assertThat(call(reads, "GET /bags/bag-1", "")).isEqualTo(200);
    for (String request :
        List.of("POST /bags/bag-1/cancel", "PUT /blobs/" + Digests.sha256Hex(BLOB), "POST /bags")) {
      assertThat(call(reads, request, "{}")).as(request).isEqualTo(403);
    }
    assertThat(call(reads, "POST /users", user("eve"))).isEqualTo(403);
    assertThat(call(reads, "POST /users/olga/tokens", token())).isEqualTo(403);
    assertThat(call(reads, "POST /users/olga/password", password())).isEqualTo(403);

    Client submits = console.program("olga", TokenScope.SUBMIT);
    assertThat(call(submits, "PUT /blobs/" + Digests.sha256Hex(BLOB), "")).isEqualTo(201);
    assertThat(call(submits, "GET /bags/bag-1", "")).as("alice's").isEqualTo(404);
    assertThat(call(submits, "GET /audit/log", "")).isEqualTo(403);
    assertThat(call(submits, "POST /users", user("eve"))).isEqualTo(403);
    assertThat(call(submits, "POST /users/olga/tokens", token())).isEqualTo(403);
    assertThat(call(submits, "POST /users/olga/password", password())).isEqualTo(403);
  }

  @Test
  @Tag("S10")
  void aChangeOfPasswordOrRolesSignsOutEverywhereAndATokenIsOverAtOnce() {
    Client browser = console.browser("bob");
    Client olga = console.program("olga");
    assertThat(call(olga, "POST /users/bob/roles", "{\"roles\":[\"OWNER\"]}")).isEqualTo(200);
    assertThat(browser.get("/api/v1/status").statusCode()).isEqualTo(401);
    Client again = console.browser("bob");
    assertThat(again.get("/api/v1/status").statusCode()).isEqualTo(200);
    // As another node does, which does not know the sessions of this one.
    console.users().changePassword("bob", io.gleaner.secrets.Secret.of("another horse battery"));
    assertThat(again.get("/api/v1/status").statusCode()).isEqualTo(401);

    Client program = console.program("alice");
    String listed = program.get("/api/v1/users/alice/tokens").body();
    String id = listed.replaceAll("(?s).*?\"id\":\"([0-9a-f]{12})\".*", "$1");
    assertThat(call(console.program("bob"), "POST /tokens/" + id + "/revoke", "{}")).isEqualTo(404);
    assertThat(call(console.program("auda"), "POST /tokens/" + id + "/revoke", "{}"))
        .isEqualTo(403);
    for (String each : listed.split("\"id\":\"")) {
      if (each.matches("(?s)[0-9a-f]{12}\".*")) {
        call(olga, "POST /tokens/" + each.substring(0, 12) + "/revoke", "{}");
      }
    }
    assertThat(program.get("/api/v1/status").statusCode()).isEqualTo(401);
  }

  @Test
  @Tag("S10")
  void aPageElsewhereChangesNothingThroughABrowserThatIsSignedIn() {
    Client browser = console.browser("olga");
    for (Row row : TABLE) {
      if (!row.request.startsWith("GET")) {
        assertThat(call(browser, row.request, row.body)).as(row.request).isEqualTo(403);
      }
    }
    HttpResponse<String> page = browser.get("/");
    HttpResponse<String> meant =
        browser.postJson("/api/v1/users", user("eve"), "X-CSRF-Token", Client.csrfOf(page.body()));
    assertThat(meant.statusCode()).isEqualTo(201);
  }

  @Test
  @Tag("S10")
  @Tag("S13")
  void guessesWaitAndAreInTheLogWithoutWhatWasTyped() {
    Client stranger = console.stranger();
    String form = stranger.get("/signin").body();
    int waits = 0;
    for (int i = 0; i < 10; i++) {
      HttpResponse<String> answer =
          stranger.postForm(
              "/signin",
              Map.of("csrf", Client.csrfOf(form), "name", "olga", "password", "guess number " + i));
      form = answer.body();
      if (answer.statusCode() == 429) {
        waits++;
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow())
            .as("the same as in: %s", answer.body())
            .isPositive();
      }
    }
    assertThat(waits).isGreaterThanOrEqualTo(1);
    String log = console.program("auda").get("/api/v1/audit/log").body();
    assertThat(log).contains("\"outcome\":\"REFUSED\"", "wrong password", "127.0.0.1");
    assertThat(log).doesNotContain("guess number", TestConsole.PASSWORD, "argon2");

    console.browser("alice");
    call(console.program("olga"), "POST /bags/bag-1/cancel", "{}");
    String after = console.program("auda").get("/api/v1/audit/log").body();
    assertThat(after).contains("BAG_CANCELLED", "owner=alice", "\"deed\":\"SIGN_IN\"");
    assertThat(call(console.program("auda"), "POST /audit/verification", "{}")).isEqualTo(200);
  }

  @Test
  void whatIsNoUserRoleOrTokenIsRefusedWithASentence() {
    Client olga = console.program("olga");
    for (String body :
        List.of(
            "{}",
            user("no name"),
            user("eve").replace("OWNER", "KING"),
            user("eve").replace("correct horse", ""),
            user("eve").replace("]", ",null]"),
            "[]")) {
      assertThat(call(olga, "POST /users", body)).as(body).isBetween(400, 422);
    }
    assertThat(call(olga, "POST /users", user("alice"))).isEqualTo(409);
    for (String body :
        List.of(
            "{\"scope\":\"READ\"}",
            "{\"scope\":\"READ\",\"days\":0}",
            "{\"scope\":\"READ\",\"days\":367}",
            "{\"scope\":\"ALL\",\"days\":1}",
            "{\"scope\":\"READ\",\"days\":1,\"label\":\"" + "x".repeat(65) + "\"}")) {
      assertThat(call(olga, "POST /users/olga/tokens", body)).as(body).isBetween(400, 422);
    }
    assertThat(olga.postJson("/api/v1/users/olga/roles", "{\"roles\":[]}").body())
        .contains("no operator would be left");
  }

  @Test
  @Tag("S15")
  void whoAsksWithoutEndIsToldToWaitAndOthersGoOn() {
    Client bob = console.program("bob");
    HttpResponse<String> answer = bob.get("/api/v1/account");
    for (int i = 0; i < 10 * TestConsole.REQUESTS_AT_ONCE && answer.statusCode() == 200; i++) {
      answer = bob.get("/api/v1/account");
    }
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.body()).contains("bob sends more than 20 requests a second; try again in");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(console.program("alice").get("/api/v1/account").statusCode()).isEqualTo(200);
  }

  private static int call(Client client, String request, String body) {
    String path = "/api/v1" + request.substring(request.indexOf(' ') + 1);
    return switch (request.substring(0, request.indexOf(' '))) {
      case "GET" -> client.get(path).statusCode();
      case "PUT" -> client.put(path, BLOB).statusCode();
      default -> client.postJson(path, body).statusCode();
    };
  }

  private static String user(String name) {
    return "{\"name\":\"" + name + "\",\"roles\":[\"OWNER\"],\"password\":\"correct horse\"}";
  }

  private static String password() {
    return "{\"password\":\"another horse battery\"}";
  }

  private static String token() {
    return "{\"scope\":\"READ\",\"days\":1,\"label\":\"a test\"}";
  }
}

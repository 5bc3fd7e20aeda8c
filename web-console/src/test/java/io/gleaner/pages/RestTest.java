package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.maker.MarketView;
import io.gleaner.signing.Digests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The REST interface as programs meet it. */
@Timeout(60)
class RestTest extends WithConsole {
  static final String DESCRIPTION =
      """
      name: sweep
      kind: java
      bundle: target/sweep.jar
      entry_point: org.example.Sweep
      parameters:
        seed:
          range: {from: 1, to: 100}
      budget: 10
      """;

  @Test
  void everythingButHealthAndTheContractAsksWhoIsCalling() {
    Client stranger = console.stranger();
    for (String operation : console.server().operations()) {
      String path = "/api/v1" + operation.split(" ")[1].replaceAll("\\{\\w+}", "0");
      boolean open = path.endsWith("/health") || path.endsWith("/openapi.yaml");
      HttpResponse<String> answer =
          switch (operation.split(" ")[0]) {
            case "GET" -> stranger.get(path);
            case "PUT" -> stranger.put(path, new byte[] {1});
            default -> stranger.postJson(path, "{}");
          };
      assertThat(answer.statusCode()).as(operation).isEqualTo(open ? 200 : 401);
      if (!open) {
        assertThat(answer.body()).contains("\"code\":\"sign-in-required\"");
      }
    }
    var nowhere = stranger.get("/api/v1/nowhere");
    assertThat(nowhere.statusCode()).isEqualTo(404);
    assertThat(nowhere.body()).contains("\"code\":\"not-found\"");
  }

  @Test
  void aBagIsSubmittedOnceHoweverOftenItsKeyComes() {
    Client alice = console.program("alice");
    HttpResponse<String> first = submit(alice, "key-1", DESCRIPTION);
    HttpResponse<String> second = submit(alice, "key-1", DESCRIPTION);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.headers().firstValue("Location")).contains("/api/v1/bags/bag-1");
    assertThat(first.body()).contains("\"id\":\"bag-1\"").contains("\"state\":\"OPEN\"");
    assertThat(second.body()).contains("\"id\":\"bag-1\"");
    assertThat(console.bags().list(Optional.empty(), 10)).hasSize(1);
    assertThat(alice.get("/api/v1/account").body()).contains("\"balanceMicros\":90000000");

    HttpResponse<String> other = submit(alice, "key-1", DESCRIPTION.replace("sweep", "other"));
    assertThat(other.statusCode()).isEqualTo(409);
    assertThat(other.body()).contains("\"code\":\"key-reused\"");

    HttpResponse<String> keyless = alice.postJson("/api/v1/bags", "{\"description\":\"x\"}");
    assertThat(keyless.statusCode()).isEqualTo(400);
    assertThat(keyless.body()).contains("Idempotency-Key");
  }

  @Test
  void aWrongDescriptionIsAnsweredWithEveryErrorAndItsLine() {
    String wrong =
        DESCRIPTION.replace("kind: java", "kind: cobol").replace("budget: 10", "budget: -1");
    HttpResponse<String> answer = submit(console.program("alice"), "key-1", wrong);

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(answer.body())
        .contains("\"code\":\"invalid-description\"")
        .contains("line 2")
        .contains("line 8");
  }

  @Test
  void bagsOfOthersAreUnknownExceptToTheOperator() {
    submit(console.program("alice"), "key-1", DESCRIPTION);
    Client bob = console.program("bob");

    for (String path :
        List.of("", "/explain", "/results", "/completions", "/results/0/output", "/outputs.zip")) {
      assertThat(bob.get("/api/v1/bags/bag-1" + path).statusCode()).as(path).isEqualTo(404);
    }
    assertThat(bob.postJson("/api/v1/bags/bag-1/cancel", "{}").statusCode()).isEqualTo(404);
    assertThat(bob.get("/api/v1/events?bag=bag-1").statusCode()).isEqualTo(404);
    assertThat(bob.get("/api/v1/bags").body()).doesNotContain("bag-1");
    assertThat(bob.get("/api/v1/status").body()).doesNotContain("bag-1");

    Client olga = console.program("olga");
    assertThat(olga.get("/api/v1/bags").body()).contains("bag-1");
    assertThat(olga.postJson("/api/v1/bags/bag-1/cancel", "{}").body()).contains("CANCELLED");
  }

  @Test
  void anOwnerOfMachinesMayLookButNotSubmit() {
    Client otto = console.program("otto");
    assertThat(otto.get("/api/v1/status").statusCode()).isEqualTo(200);
    HttpResponse<String> answer = submit(otto, "key-1", DESCRIPTION);
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("role of a submitter");
  }

  @Test
  void aBlobIsTakenIfItIsWhatItsDigestSays() throws Exception {
    Client alice = console.program("alice");
    byte[] content = "a bundle".getBytes(StandardCharsets.UTF_8);
    String digest = Digests.sha256Hex(content);

    assertThat(alice.put("/api/v1/blobs/" + digest, content).statusCode()).isEqualTo(201);
    assertThat(alice.put("/api/v1/blobs/" + digest, content).statusCode()).isEqualTo(200);
    assertThat(console.blobs().read(digest)).isEqualTo(content);

    console.damages(digest);
    assertThat(alice.put("/api/v1/blobs/" + digest, content).statusCode()).isEqualTo(200);
    assertThat(console.blobs().read(digest)).isEqualTo(content);

    HttpResponse<String> other = alice.put("/api/v1/blobs/" + "0".repeat(64), content);
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.body()).contains("digest-mismatch").contains(digest);

    byte[] large = new byte[(int) TestConsole.MAX_BLOB_BYTES + 1];
    assertThat(alice.put("/api/v1/blobs/" + Digests.sha256Hex(large), large).statusCode())
        .isEqualTo(413);
    console.keepsNoUpload();
  }

  @Test
  void aBodyThatIsTooLongIsRefused() {
    HttpResponse<String> answer = submit(console.program("alice"), "key-1", "x".repeat(40 * 1024));
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("\"code\":\"too-large\"");
  }

  @Test
  void resultsComeInPagesAndTheirBytesAsAttachments() throws Exception {
    Client alice = console.program("alice");
    submit(alice, "key-1", DESCRIPTION);
    String digest = console.blobs().put("<script>".getBytes(StandardCharsets.UTF_8));
    console.bags().ends("bag-1", 0, Optional.of(digest), 8, "");
    console.bags().ends("bag-1", 1, Optional.empty(), 0, "division by zero");

    String first = alice.get("/api/v1/bags/bag-1/results?limit=1").body();
    assertThat(first).contains("\"taskIndex\":0").contains("\"next\":0");
    String second = alice.get("/api/v1/bags/bag-1/results?after=0").body();
    assertThat(second).contains("division by zero").contains("\"next\":null");

    HttpResponse<byte[]> output = alice.bytes("/api/v1/bags/bag-1/results/0/output");
    assertThat(output.body()).asString().isEqualTo("<script>");
    assertThat(output.headers().firstValue("Content-Type")).contains("application/octet-stream");
    assertThat(output.headers().firstValue("Content-Disposition").orElse(""))
        .startsWith("attachment");
    assertThat(output.headers().firstValue("ETag")).contains("\"" + digest + "\"");
    assertThat(alice.get("/api/v1/bags/bag-1/results/1/output").statusCode()).isEqualTo(404);
    assertThat(alice.get("/api/v1/bags/bag-1/results?limit=x").statusCode()).isEqualTo(400);
  }

  @Test
  void completionsComeInTheirOrderWithShortOutputsAlong() throws Exception {
    Client alice = console.program("alice");
    submit(alice, "key-1", DESCRIPTION);
    for (int task : List.of(7, 3, 5)) {
      byte[] output = "x".repeat(task).getBytes(StandardCharsets.UTF_8);
      console
          .bags()
          .ends("bag-1", task, Optional.of(console.blobs().put(output)), output.length, "");
    }
    String all = alice.get("/api/v1/bags/bag-1/completions?inline=5").body();
    assertThat(all.replaceAll("(?s).*?\"place\":(\\d).*?\"taskIndex\":(\\d)", "$1:$2 "))
        .startsWith("1:7 2:3 3:5 ");
    assertThat(all)
        .contains("\"output\":null")
        .contains("\"output\":\"eHh4\"")
        .contains("\"output\":\"eHh4eHg=\"")
        .contains("\"bag\":{\"id\":\"bag-1\"");
    assertThat(alice.get("/api/v1/bags/bag-1/completions?after=2&limit=1").body())
        .contains("\"place\":3")
        .doesNotContain("\"place\":2");
    assertThat(alice.get("/api/v1/bags/bag-1/completions?after=3").body())
        .contains("\"completions\":[]");
    assertThat(alice.get("/api/v1/bags/bag-1/completions?inline=65537").statusCode())
        .isEqualTo(400);
  }

  @Test
  void allOutputsComeInOneArchive() throws IOException {
    Client alice = console.program("alice");
    submit(alice, "key-1", DESCRIPTION);
    for (int task = 0; task < 3; task++) {
      byte[] output = ("output of " + task).getBytes(StandardCharsets.UTF_8);
      console
          .bags()
          .ends("bag-1", task, Optional.of(console.blobs().put(output)), output.length, "");
    }
    console.bags().ends("bag-1", 3, Optional.empty(), 0, "division by zero");

    HttpResponse<byte[]> answer = alice.bytes("/api/v1/bags/bag-1/outputs.zip");
    assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
        .contains("sweep-bag-1.zip");
    List<String> found = new java.util.ArrayList<>();
    try (var zip = new ZipInputStream(new ByteArrayInputStream(answer.body()))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        found.add(entry.getName() + " " + new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertThat(found)
        .containsExactly(
            "task-000000 output of 0", "task-000001 output of 1", "task-000002 output of 2");
  }

  @Test
  void onlyItsOwnerIsToldWhyALauncherEarnsNothing() {
    console
        .market()
        .has(
            new MarketView.LauncherStatus(
                "l-1", "otto", "OFFERING", "offering: dedicated", 1, 1_000_000, List.of(), 0, 0));
    assertThat(console.program("otto").get("/api/v1/launchers").body())
        .contains("\"id\":\"l-1\"", "serves at its reserve price");
    assertThat(console.program("olga").get("/api/v1/launchers").body()).contains("l-1");
    assertThat(console.program("alice").get("/api/v1/launchers").body()).doesNotContain("l-1");

    Client otto = console.browser("otto");
    await("the hub's next look at the market")
        .untilAsserted(
            () -> assertThat(otto.get("/").body()).contains("serves at its reserve price"));
    assertThat(console.browser("alice").get("/").body())
        .contains("l-1")
        .doesNotContain("serves at its reserve price");
  }

  @Test
  void theContractListsEveryOperationAndNoOther() {
    String contract = console.stranger().get("/api/v1/openapi.yaml").body();
    String paths =
        contract.substring(contract.indexOf("\npaths:"), contract.indexOf("\ncomponents:"));
    List<String> listed = new java.util.ArrayList<>();
    Matcher line =
        Pattern.compile("(?m)^  (/\\S*):$|^    (get|put|post|delete|patch):$").matcher(paths);
    String path = "";
    while (line.find()) {
      if (line.group(1) != null) {
        path = line.group(1);
      } else {
        listed.add(line.group(2).toUpperCase(java.util.Locale.ROOT) + " " + path);
      }
    }
    assertThat(listed).containsExactlyInAnyOrderElementsOf(console.server().operations());
  }

  static HttpResponse<String> submit(Client client, String key, String description) {
    String json =
        "{\"description\":\""
            + description.replace("\"", "\\\"").replace("\n", "\\n")
            + "\",\"files\":{\"target/sweep.jar\":\""
            + "0".repeat(64)
            + "\"}}";
    return client.postJson("/api/v1/bags", json, "Idempotency-Key", key);
  }
}

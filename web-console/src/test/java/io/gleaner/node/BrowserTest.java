package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.gleaner.authority.PoolRole;
import io.gleaner.enrolment.BrowserProof;
import io.gleaner.gateway.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.KeyPair;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Browsers as members of a running node, and those who pretend to be one: a real Chromium, ports.
 */
@Timeout(240)
class BrowserTest {
  private static final String UPGRADE =
      """
      GET /volunteer/space HTTP/1.1
      Host: %1$s
      Origin: http://%1$s
      Upgrade: websocket
      Connection: Upgrade
      Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
      Sec-WebSocket-Version: 13

      """
          .replace("\n", "\r\n");

  private static TestMarket market;
  private static String console;
  private static BrowserLine silent;

  @BeforeAll
  static void start() throws Exception {
    market = TestMarket.startInMemory(TestMarket.seed());
    console = market.node().addresses().console();
    silent = BrowserLine.to(console, BrowserLine.SPACE);
  }

  @AfterAll
  static void end() throws Exception {
    silent.close();
    market.close();
  }

  @Test
  @Tag("S7")
  void aTabJoinsByATokenReachesTheSpaceAndIsCutOffWhenItIsRevoked() throws Exception {
    try (TestBrowser browser = TestBrowser.open(1280, 800)) {
      Page page = browser.page();
      page.navigate(console + "signin");
      String name =
          (String)
              page.evaluate(BrowserPage.ask("(await volunteer.enrol({ token })).name"), token());

      assertThat(
              page.evaluate(
                  BrowserPage.ask("(await volunteer.member()).keys.privateKey.extractable")))
          .isEqualTo(false);
      assertThat(page.evaluate(BrowserPage.ask(exported("pkcs8")))).isEqualTo("InvalidAccessError");
      assertThat(page.evaluate(BrowserPage.ask(exported("jwk")))).isEqualTo("InvalidAccessError");

      page.reload();
      BrowserPage.opens(page);
      Wire.Welcome welcome = BrowserPage.welcome(page);
      assertThat(welcome.getOwner()).isEqualTo("vera");
      assertThat(welcome.getRole()).isEqualTo("browser");
      browser.isContent();

      market.node().members().revoke(name, "tab of a lost machine");
      Map<?, ?> end = BrowserPage.end(page);
      assertThat(end.get("code")).isEqualTo(1008);
      assertThat((String) end.get("reason")).contains("was revoked: tab of a lost machine");
      BrowserPage.opens(page);
      Map<?, ?> again = BrowserPage.end(page);
      assertThat((String) again.get("reason")).contains("was revoked");
    }
  }

  @Test
  void aSignedInUserLendsATabFromAPageOfTheConsoleOnly() throws Exception {
    try (TestBrowser browser = TestBrowser.open(1280, 800)) {
      Page page = browser.page();
      page.navigate(console);
      page.getByLabel("Name").fill("admin");
      page.getByLabel("Password")
          .fill(Files.readString(market.node().firstPassword().orElseThrow()).strip());
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in").setExact(true))
          .click();
      page.waitForSelector("[data-live]");

      assertThatThrownBy(
              () ->
                  page.evaluate(BrowserPage.ask("await volunteer.enrol({ csrf: 'guessed' })"), ""))
          .hasMessageContaining("did not come from a page of this console");
      String csrf = "document.querySelector('[name=csrf]').value";
      String owner =
          (String)
              page.evaluate(
                  BrowserPage.ask("(await volunteer.enrol({ csrf: " + csrf + " })).owner"), "");
      assertThat(owner).isEqualTo("admin");
      BrowserPage.opens(page);
      assertThat(BrowserPage.welcome(page).getOwner()).isEqualTo("admin");
    }
  }

  @Test
  @Tag("S2")
  void aProofIsForOneNonceOriginAndChannel() throws Exception {
    KeyPair keys = BrowserLine.keys();
    String serial = BrowserLine.enrols(console, token(), keys).path("serial").asString();

    for (String origin : List.of("", "https://evil.example", BrowserLine.origin(console) + "0")) {
      notOpened(origin, BrowserLine.ENROLMENT);
      notOpened(origin, BrowserLine.SPACE);
    }
    BrowserProof first;
    try (BrowserLine good = BrowserLine.to(console, BrowserLine.SPACE)) {
      first = good.proof(serial);
      good.says(opening(serial, keys, first));
      good.saysBytes(BrowserPage.hello());
      assertThat(good.hearsFrame().getWelcome().getOwner()).isEqualTo("vera");
      good.says("text");
      assertThat(good.ends()).startsWith("1003 text came");
    }
    refusedOpening(serial, keys, now -> first, "over this nonce, origin and channel");
    refusedOpening(
        serial,
        keys,
        now ->
            new BrowserProof(
                now.pool(), "https://evil.example", now.channel(), now.nonce(), serial),
        "over this nonce, origin and channel");
    refusedOpening(
        serial,
        keys,
        now ->
            new BrowserProof(now.pool(), now.origin(), BrowserLine.ENROLMENT, now.nonce(), serial),
        "over this nonce, origin and channel");
    refusedOpening(
        serial,
        keys,
        now -> new BrowserProof("0".repeat(64), now.origin(), now.channel(), now.nonce(), serial),
        "over this nonce, origin and channel");
    refusedOpening(serial, BrowserLine.keys(), now -> now, "not that of the browser's key");
    refusedOpening("0".repeat(32), keys, now -> now, "knows no browser with this certificate");
    refused(BrowserLine.SPACE, "{\"serial\": \"" + serial + "\"}", "lacks a key or a signature");
    refused(BrowserLine.SPACE, "{", "not the JSON that is expected");
    try (BrowserLine line = BrowserLine.to(console, BrowserLine.SPACE)) {
      line.hears();
      line.saysBytes(BrowserPage.hello());
      assertThat(line.ends()).startsWith("1008 bytes came before the proof");
    }
  }

  @Test
  void framesOfTheSpaceComeInMessagesOfAnyLength() throws Exception {
    KeyPair keys = BrowserLine.keys();
    String serial = BrowserLine.enrols(console, token(), keys).path("serial").asString();
    try (BrowserLine line = BrowserLine.to(console, BrowserLine.SPACE)) {
      line.says(opening(serial, keys, line.proof(serial)));
      line.saysBytesInPieces(BrowserPage.hello());
      assertThat(line.hearsFrame().hasWelcome()).isTrue();
      ByteArrayOutputStream pings = new ByteArrayOutputStream();
      int last = 5_000;
      for (int number = 1; number <= last; number++) {
        pings.writeBytes(
            BrowserPage.framed(
                Wire.ClientFrame.newBuilder()
                    .setPing(Wire.Ping.newBuilder().setNumber(number))
                    .build()));
      }
      line.saysBytes(pings.toByteArray());
      line.saysBytesInPieces(pings.toByteArray());
      for (int i = 0; i < 2 * last; i++) {
        assertThat(line.hearsFrame().getPong().getNumber()).isEqualTo(i % last + 1);
      }
    }
  }

  @Test
  @Tag("S7")
  void aTokenIsForOneKeyAndABrowsersForABrowser() throws Exception {
    String token = token();
    KeyPair keys = BrowserLine.keys();
    JsonNode enrolled = BrowserLine.enrols(console, token, keys);
    assertThat(BrowserLine.enrols(console, token, keys)).as("the same again").isEqualTo(enrolled);
    assertThat(BrowserLine.enrols(console, token, BrowserLine.keys()).path("refused").asString())
        .contains("another key has used this join token");
    String device = market.invites(PoolRole.DEVICE, "vera").token().text().reveal();
    assertThat(BrowserLine.enrols(console, device, keys).path("refused").asString())
        .contains("not for a browser");
    try (BrowserLine line = BrowserLine.to(console, BrowserLine.ENROLMENT)) {
      String fresh = token();
      BrowserProof proof = line.proof(BrowserLine.digest(token));
      line.says(
          Map.of(
              "key", BrowserLine.key(keys),
              "token", fresh,
              "signature", BrowserLine.signature(keys, proof)));
      assertThat(line.ends()).as("a proof for another token").startsWith("1008 the signature");
    }
    refused(
        BrowserLine.ENROLMENT,
        "{\"key\": \"%s\", \"csrf\": \"x\", \"signature\": \"AAAA\"}"
            .formatted(BrowserLine.key(keys)),
        "by a join token or as a signed-in user; nobody's is let in");
    refused(
        BrowserLine.ENROLMENT,
        "{\"key\": \"AAAA\", \"csrf\": \"x\", \"signature\": \"AAAA\"}",
        "this is no public key");
  }

  @Test
  @Tag("S2")
  void pingsWithoutEndEndTheSocketBeforeTheProofAndAfterIt() throws Exception {
    String why = "1008 more than 20 pings or pongs came at once";
    try (BrowserLine stranger = BrowserLine.to(console, BrowserLine.SPACE)) {
      stranger.pings();
      assertThat(stranger.ends()).startsWith(why);
    }
    KeyPair keys = BrowserLine.keys();
    String serial = BrowserLine.enrols(console, token(), keys).path("serial").asString();
    try (BrowserLine member = BrowserLine.to(console, BrowserLine.SPACE)) {
      member.says(opening(serial, keys, member.proof(serial)));
      member.saysBytes(BrowserPage.hello());
      assertThat(member.hearsFrame().hasWelcome()).isTrue();
      member.pings();
      assertThat(member.ends()).startsWith(why);
    }
  }

  @Test
  @Tag("S2")
  void theNodeKeepsNoAnswersForWhoReadsNone() throws Exception {
    URI node = URI.create(console);
    try (Socket socket = new Socket(node.getHost(), node.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(UPGRADE.formatted(node.getAuthority()).getBytes(StandardCharsets.US_ASCII));
      byte[] pings = pings(10_000);
      assertThatThrownBy(
              () -> {
                for (int sent = 0; sent < 40_000_000; sent += pings.length) {
                  out.write(pings);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  /** As a browser sends them: the mask is four bytes of zero. */
  private static byte[] pings(int count) {
    ByteBuffer frames = ByteBuffer.allocate(count * 131);
    for (int i = 0; i < count; i++) {
      frames.put((byte) 0x89).put((byte) (0x80 | 125)).put(new byte[4 + 125]);
    }
    return frames.array();
  }

  @Test
  void whoSaysNothingIsSentAway() throws Exception {
    assertThat(silent.ends()).isEqualTo("1008 no proof came in 10 s");
  }

  private static void notOpened(String origin, String channel) {
    assertThatThrownBy(() -> BrowserLine.from(origin, console, channel))
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(403));
  }

  private interface Change {
    BrowserProof of(BrowserProof now);
  }

  private static void refusedOpening(String serial, KeyPair keys, Change change, String why)
      throws Exception {
    try (BrowserLine line = BrowserLine.to(console, BrowserLine.SPACE)) {
      line.says(opening(serial, keys, change.of(line.proof(serial))));
      assertThat(line.hears().path("refused").asString()).contains(why);
      assertThat(line.ends()).startsWith("1008 ");
    }
  }

  private static void refused(String channel, String text, String why) throws Exception {
    try (BrowserLine line = BrowserLine.to(console, channel)) {
      line.hears();
      line.says(text);
      assertThat(line.hears().path("refused").asString()).contains(why);
      assertThat(line.ends()).startsWith("1008 ");
    }
  }

  private static Map<String, String> opening(String serial, KeyPair keys, BrowserProof proof)
      throws Exception {
    return Map.of("serial", serial, "signature", BrowserLine.signature(keys, proof));
  }

  private static String token() {
    return market.invites(PoolRole.BROWSER, "vera").token().text().reveal();
  }

  private static String exported(String format) {
    return "await crypto.subtle.exportKey('"
        + format
        + "', (await volunteer.member()).keys.privateKey).catch((e) => e.name)";
  }
}

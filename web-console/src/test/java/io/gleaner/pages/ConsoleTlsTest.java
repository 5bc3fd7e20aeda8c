package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.api.GleanerException;
import io.gleaner.api.rest.ConsoleTrust;
import io.gleaner.api.rest.Patience;
import io.gleaner.api.rest.RestClient;
import io.gleaner.authority.Certificates;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.P256;
import io.gleaner.secrets.Secret;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A console on TLS with a certificate of its pool, and who finds out whom it is. */
@Timeout(120)
@Tag("S10")
class ConsoleTlsTest {
  private static final String ASKING = "GET /signin HTTP/1.1\r\nHost: %s\r\n\r\n";

  @TempDir private static Path folder;
  private static TestConsole console;
  private static Fingerprint authority;

  @BeforeAll
  static void starts() {
    console = TestConsole.startOnTls(folder);
    authority = console.authority().fingerprint();
  }

  @AfterAll
  static void ends() {
    console.close();
  }

  private static RestClient client(ConsoleTrust trust) {
    return new RestClient(
        console.server().address(), console.token("alice"), Patience.usual(), trust);
  }

  private static ConsoleTrust trust(Fingerprint fingerprint) {
    return ConsoleTrust.parse(fingerprint.toString());
  }

  @Test
  void aClientBelievesTheAuthorityOrTheKeyWhoseFingerprintItKnows() {
    assertThat(console.server().address().getScheme()).isEqualTo("https");
    RestClient byAuthority = client(trust(authority));
    assertThat(byAuthority.get("/api/v1/account?limit=1").path("user").asString())
        .isEqualTo("alice");
    assertRefused(
        client(trust(Fingerprint.of(P256.generate().getPublic()))),
        GleanerException.Code.NOT_TRUSTED,
        "is not who it should be: neither its key nor its authority has the fingerprint");
    assertRefused(
        client(ConsoleTrust.ofPlatform()),
        GleanerException.Code.NOT_TRUSTED,
        "is not of an authority that this machine knows");
  }

  private static void assertRefused(RestClient client, GleanerException.Code code, String why) {
    assertThatThrownBy(() -> client.get("/api/v1/account?limit=1"))
        .isInstanceOfSatisfying(
            GleanerException.class, refusal -> assertThat(refusal.code()).isEqualTo(code))
        .hasMessageContaining(why);
  }

  @Test
  void noTokenLeavesThisMachineInClearText() {
    assertThatThrownBy(
            () ->
                new RestClient(
                    URI.create("http://192.0.2.1:7480"),
                    Secret.of("t"),
                    Patience.usual(),
                    ConsoleTrust.ofPlatform()))
        .isInstanceOf(GleanerException.class)
        .hasMessageContaining("http would show the API token to the network; write https://");
  }

  @Test
  void whoSpeaksClearTextHearsHowToAskAndNothingElse() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.server().port())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write(ASKING.formatted("localhost").getBytes(StandardCharsets.UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 400 ")
          .endsWith("write https:// instead of http:// before its address.\n");
    }
  }

  @Test
  void aCommandThatWasToldHttpSaysWhatTheConsoleSays() {
    URI inClear = URI.create("http://127.0.0.1:" + console.server().port());
    assertRefused(
        new RestClient(inClear, Secret.of("t"), Patience.usual(), ConsoleTrust.ofPlatform()),
        GleanerException.Code.REFUSED,
        "It says: This console speaks TLS: write https:// instead of http://");
  }

  @Test
  void cookiesAreForTlsOnlyAndNothingBindsOtherPortsOfTheHost() {
    Client browser =
        Client.anonymous(
            console.server().address(),
            Tls.context(
                PoolKeys.none(),
                PoolTrust.ofFingerprints(List.of(authority), InstantSource.system())));
    HttpResponse<String> page = browser.get("/signin");
    assertThat(page.headers().firstValue("Set-Cookie").orElseThrow()).contains("Secure");
    assertThat(page.headers().firstValue("Strict-Transport-Security")).isEmpty();
  }

  @Test
  void itAnswersUnderTheNamesOfItsCertificateOnly() throws Exception {
    assertThat(statusFor("localhost")).contains(" 200 ");
    assertThat(statusFor("console.example:7480")).contains(" 200 ");
    assertThat(statusFor("elsewhere.example")).contains(" 421 ");
  }

  private static String statusFor(String host) throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            Tls.context(
                    PoolKeys.none(),
                    PoolTrust.ofFingerprints(List.of(authority), InstantSource.system()))
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), console.server().port())) {
      socket.setSoTimeout(60_000);
      socket.setSSLParameters(Tls.client());
      socket.getOutputStream().write(ASKING.formatted(host).getBytes(StandardCharsets.UTF_8));
      StringBuilder line = new StringBuilder();
      InputStream in = socket.getInputStream();
      for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
        line.append((char) next);
      }
      return line.toString();
    }
  }

  @Test
  void opensslVerifiesItGetsNoTicketAndNoOlderVersion() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl here");
    Path pem = folder.resolve("authority.pem");
    Files.writeString(pem, Certificates.pem(console.authority().trust().authorities()));
    assertThat(
            openssl(
                "-tls1_3",
                "-verify_return_error",
                "-verify_hostname",
                "localhost",
                "-CAfile",
                pem.toString()))
        .contains("Verify return code: 0 (ok)", "Verified peername: localhost", "HTTP/1.1 200")
        .contains("Cipher is TLS_AES_128_GCM_SHA256", "No client certificate CA names sent")
        .doesNotContain("New Session Ticket arrived");
    assertThat(openssl("-tls1_2", "-CAfile", pem.toString()))
        .containsIgnoringCase("alert protocol version")
        .doesNotContain("HTTP/1.1");
  }

  private static String openssl(String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("/usr/bin/openssl", "s_client", "-connect"));
    command.add("127.0.0.1:" + console.server().port());
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    StringBuilder said = new StringBuilder();
    try {
      process
          .getOutputStream()
          .write(ASKING.formatted("localhost").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It ended before it was spoken to; what it said is read all the same.
    }
    try (var in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        said.append(line).append('\n');
        if (line.contains("</html>")) {
          break;
        }
      }
    }
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said.toString();
  }
}

package io.gleaner.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.Certificates;
import io.gleaner.authority.P256;
import io.gleaner.authority.Revocations;
import io.gleaner.authority.TestPool;
import io.gleaner.tls.Tls.ClientCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a foreign client says of our server; skipped where there is no {@code openssl}. */
@Timeout(120)
class OpensslTest {
  @TempDir Path folder;
  private EchoServer server;
  private Path authority;
  private Path member;

  @BeforeEach
  void aNodeOfToday() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl here");
    InstantSource now = InstantSource.system();
    TestPool pool = TestPool.today();
    Revocations revocations = new Revocations(pool.registry, () -> 0);
    revocations.poll();
    NodeCredentials node =
        new NodeCredentials(pool.authority, "n1", List.of("localhost", "127.0.0.1"), now);
    server =
        new EchoServer(
            Tls.context(
                PoolKeys.of(node), PoolTrust.ofNode(pool.authority::trust, revocations, now)),
            Tls.server(ClientCertificate.NEEDED));
    authority = folder.resolve("authority.pem");
    Files.writeString(authority, Certificates.pem(pool.authority.trust().authorities()));
    KeyPair keys = P256.generate();
    member = folder.resolve("member.pem");
    Files.writeString(
        member,
        Certificates.pem(List.of(pool.device("d1", keys).certificate()))
            + "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(keys.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n");
  }

  @AfterEach
  void ends() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void itVerifiesTheNodeAndGetsNoTicket() throws Exception {
    String said =
        talk(
            "-tls1_3",
            "-verify_return_error",
            "-verify_hostname",
            "localhost",
            "-CAfile",
            authority.toString(),
            "-cert",
            member.toString(),
            "-key",
            member.toString());
    assertThat(said)
        .contains("Verify return code: 0 (ok)", "Verified peername: localhost")
        .contains("Cipher is TLS_AES_128_GCM_SHA256", "Peer signature type: ECDSA")
        .contains("HELLO-BACK")
        .doesNotContain("New Session Ticket arrived");
  }

  @Test
  void olderVersionsAndWhoShowsNothingGetNoWordThrough() throws Exception {
    assertThat(talk("-tls1_2", "-cert", member.toString(), "-key", member.toString()))
        .containsIgnoringCase("alert protocol version");
    assertThat(talk("-tls1_3")).doesNotContain("HELLO-BACK");
    assertThat(server.served.get()).isZero();
  }

  @Test
  void anOperatorsOwnRsaCertificateIsShown() throws Exception {
    Path own = folder.resolve("own.pem");
    Path key = folder.resolve("own.key");
    Process making =
        new ProcessBuilder(
                "/usr/bin/openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-subj",
                "/CN=console",
                "-addext",
                "subjectAltName=DNS:*.example.org",
                "-days",
                "2",
                "-out",
                own.toString(),
                "-keyout",
                key.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("openssl.out").toFile())
            .start();
    assertThat(making.waitFor(60, TimeUnit.SECONDS)).isTrue();
    FileCredentials shown = new FileCredentials(own, key, InstantSource.system());
    assertThat(shown.get().hosts()).containsExactly("*.example.org");
    server.close();
    server =
        new EchoServer(
            Tls.context(PoolKeys.of(shown), PoolTrust.ofNobody()),
            Tls.server(ClientCertificate.NOT_ASKED));
    assertThat(
            talk(
                "-tls1_3",
                "-verify_return_error",
                "-verify_hostname",
                "console.example.org",
                "-CAfile",
                own.toString()))
        .contains("Verify return code: 0 (ok)", "Peer signature type: RSA-PSS", "HELLO-BACK");
  }

  /** Connects, says a line, and returns all that openssl printed. */
  private String talk(String... options) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:" + server.port()));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    StringBuilder said = new StringBuilder();
    try {
      process.getOutputStream().write("HELLO-BACK\n".getBytes(StandardCharsets.US_ASCII));
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It ended before it was spoken to; what it said is read all the same.
    }
    try (var in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        said.append(line).append('\n');
        if (line.contains("HELLO-BACK")) {
          break;
        }
      }
    }
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said.toString();
  }
}

package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocations;
import io.gleaner.gateway.MemberPool;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.tls.BriefTls;
import io.gleaner.tls.Credentials;
import io.gleaner.tls.NodeCredentials;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets into a cluster whose members show certificates of nodes, over its real port. */
@Timeout(180)
@Tag("S11")
class MemberCertificateTest {
  private static final InstantSource NOW = InstantSource.system();

  private static MemberPool pool;
  private static Revocations revocations;
  private static HazelcastSpace founder;

  @BeforeAll
  static void found() throws Exception {
    pool = new MemberPool();
    revocations = new Revocations(pool.registry, System::nanoTime);
    revocations.poll();
    founder = HazelcastSpace.start(SpaceSettings.of(MemberSettings.founding("pool", node("n1"))));
  }

  @AfterAll
  static void end() {
    founder.close();
  }

  private static MemberProof node(String id) {
    NodeCredentials shows = new NodeCredentials(pool.authority, id, List.of("127.0.0.1"), NOW);
    return MemberProof.NodeCertificate.of(shows, pool.authority::trust, revocations, NOW);
  }

  private static int port() {
    return Integer.parseInt(founder.member().address().split(":")[1]);
  }

  @Test
  void aNodeOfThePoolJoinsAndIsCutOffWhenItIsRevoked() {
    MemberProof shown = node("n2");
    MemberSettings joining =
        MemberSettings.founding("pool", shown)
            .joining(List.of(founder.member().address()))
            .withPatience(Duration.ofSeconds(60));
    HazelcastSpace second = HazelcastSpace.start(SpaceSettings.of(joining));
    try {
      assertThat(founder.member().members()).isEqualTo(2);
      pool.authority.revoke(PoolIdentity.node("home", "n2"), "stolen");
      revocations.poll();
      await().atMost(Duration.ofSeconds(90)).until(() -> founder.member().members() == 1);
    } finally {
      second.member().kill();
    }
    assertThat(answer(shown))
        .as("what it hears when it comes again")
        .isInstanceOf(IOException.class);
  }

  @Test
  void aDeviceAStrangersNodeAndWhoShowsNothingHearNothing() throws Exception {
    Credentials device = pool.credentials(pool.identity(PoolRole.DEVICE, "bob", "d1"));
    NodeCredentials stranger =
        new NodeCredentials(new MemberPool().authority, "n1", List.of("127.0.0.1"), NOW);
    for (PoolKeys keys :
        List.of(PoolKeys.of(() -> device), PoolKeys.of(stranger), PoolKeys.none())) {
      assertThat(answer(context(keys))).isInstanceOf(IOException.class);
    }
    assertThat(founder.member().members()).isEqualTo(1);
  }

  private static SSLContext context(PoolKeys keys) {
    return Tls.context(keys, PoolTrust.ofMember(pool.authority::trust, NOW));
  }

  private static Exception answer(MemberProof proof) {
    return answer(context(((MemberProof.NodeCertificate) proof).keys()));
  }

  /** What ends the handshake of somebody who does it as members do. */
  private static Exception answer(SSLContext context) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(60_000);
      BriefTls tls = BriefTls.over(socket, context, false);
      byte[] heard = tls.read();
      return new IllegalStateException("it was let in and heard " + heard.length + " bytes");
    } catch (IOException refused) {
      return refused;
    }
  }

  @Test
  void silentStrangersKeepNobodyOut() throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        strangers.add(new Socket(InetAddress.getLoopbackAddress(), port()));
      }
      NodeCredentials honest = new NodeCredentials(pool.authority, "n5", List.of("127.0.0.1"), NOW);
      assertThat(answer(context(PoolKeys.of(honest))))
          .hasMessageContaining("it was let in and heard");
    } finally {
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  @Test
  void hazelcastsOwnClientsAndRawBytesAreNotAnswered() throws Exception {
    ClientConfig config = new ClientConfig().setClusterName("pool");
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.getNetworkConfig().addAddress(founder.member().address()).setConnectionTimeout(5_000);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(1_000);
    assertThatThrownBy(() -> HazelcastClient.newHazelcastClient(config))
        .isInstanceOf(IllegalStateException.class);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write("HZC".repeat(100).getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readAllBytes().length).isLessThan(64);
    } catch (IOException cut) {
      assertThat(cut).hasMessageContaining("reset");
    }
    assertThat(founder.member().members()).isEqualTo(1);
  }

  @Test
  void aRelayAtAnotherAddressCannotPassAProofOn() throws Exception {
    try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread passing = new Thread(() -> passesOn(relay), "relay");
      passing.setDaemon(true);
      passing.start();
      MemberSettings deceived =
          MemberSettings.founding("pool", node("n3"))
              .joining(List.of("127.0.0.1:" + relay.getLocalPort()))
              .withPatience(Duration.ofSeconds(1));
      assertThatThrownBy(() -> HazelcastSpace.start(SpaceSettings.of(deceived)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("or of the same pool");
    }
    assertThat(founder.member().members()).isEqualTo(1);
  }

  private static void passesOn(ServerSocket relay) {
    while (!relay.isClosed()) {
      try {
        Socket here = relay.accept();
        Socket there = new Socket(InetAddress.getLoopbackAddress(), port());
        passesOn(here, there);
        passesOn(there, here);
      } catch (IOException e) {
        // The next one.
      }
    }
  }

  private static void passesOn(Socket from, Socket to) {
    Thread thread =
        new Thread(
            () -> {
              try (from;
                  to) {
                from.getInputStream().transferTo(to.getOutputStream());
              } catch (IOException e) {
                // One of both has ended.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void beyondLoopbackItTakesCertificatesAndTheOperatorsWord() {
    MemberSettings here = MemberSettings.founding("pool", node("n4"));
    assertThatThrownBy(() -> here.joining(List.of("192.0.2.1:5701")))
        .isInstanceOf(SecurityRefusal.class)
        .hasMessageContaining("members.network: private");
    assertThatThrownBy(() -> here.inPrivateNetwork("0.0.0.0", 5701))
        .isInstanceOf(SecurityRefusal.class)
        .hasMessageContaining("every network of this machine");
    assertThat(here.inPrivateNetwork("192.0.2.1", 5701).joining(List.of("192.0.2.2:5701")).host())
        .isEqualTo("192.0.2.1");
  }
}

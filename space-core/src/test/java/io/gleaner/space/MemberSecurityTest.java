package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.space.MemberSettings.Network;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets into a cluster. */
@Timeout(120)
@Tag("S11")
class MemberSecurityTest {
  private static final Secret SECRET = Secret.random();

  private static HazelcastSpace founder;

  @BeforeAll
  static void found() {
    founder = HazelcastSpace.start(SpaceSettings.of(MemberSettings.founding("pool", SECRET)));
  }

  @AfterAll
  static void end() {
    founder.close();
  }

  private static MemberSettings stranger(String cluster, Secret secret) {
    return MemberSettings.founding(cluster, secret)
        .joining(List.of(founder.member().address()))
        .withPatience(Duration.ofSeconds(2));
  }

  @Test
  void whoDoesNotKnowTheSecretDoesNotJoin() {
    assertThatThrownBy(
            () -> HazelcastSpace.start(SpaceSettings.of(stranger("pool", Secret.random()))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("same cluster name and secret");
    assertThat(founder.member().members()).isEqualTo(1);
  }

  @Test
  void whoNamesAnotherClusterDoesNotJoin() {
    assertThatThrownBy(() -> HazelcastSpace.start(SpaceSettings.of(stranger("puddle", SECRET))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("same cluster name and secret");
    assertThat(founder.member().members()).isEqualTo(1);
  }

  @Test
  void whoSaysNothingOrNonsenseIsNotAnswered() throws Exception {
    String[] address = founder.member().address().split(":");
    try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(new byte[256]);
      byte[] heard = socket.getInputStream().readAllBytes();
      // A random number, and perhaps the proof that it knows the secret; then the end.
      assertThat(heard.length).isBetween(0, 64);
    } catch (IOException cut) {
      assertThat(cut).hasMessageContaining("reset");
    }
  }

  @Test
  void membersListenOnLoopbackOnly() throws Exception {
    int port = Integer.parseInt(founder.member().address().split(":")[1]);
    for (InetAddress address : outsideAddresses()) {
      assertThatThrownBy(
              () -> {
                try (Socket socket = new Socket()) {
                  socket.connect(new InetSocketAddress(address, port), 3_000);
                }
              })
          .as("connection to %s", address)
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(
            () ->
                new MemberSettings(
                    "0.0.0.0",
                    0,
                    "pool",
                    new MemberProof.Shared(SECRET),
                    Network.LOOPBACK,
                    List.of(),
                    Duration.ofSeconds(1),
                    1))
        .isInstanceOf(SecurityRefusal.class)
        .hasMessageContaining("needs node certificates and members.network: private");
    assertThatThrownBy(
            () -> MemberSettings.founding("pool", SECRET).inPrivateNetwork("192.0.2.1", 5701))
        .isInstanceOf(SecurityRefusal.class)
        .hasMessageContaining("needs node certificates");
  }

  private static List<InetAddress> outsideAddresses() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress())
        .collect(
            () -> new java.util.ArrayList<InetAddress>(),
            java.util.ArrayList::add,
            java.util.ArrayList::addAll);
  }

  @Test
  void settingsSayAllThatIsWrong() {
    assertThatThrownBy(
            () ->
                new MemberSettings(
                    "127.0.0.1",
                    70_000,
                    "",
                    new MemberProof.Shared(SECRET),
                    Network.LOOPBACK,
                    List.of("here"),
                    Duration.ofSeconds(1),
                    2))
        .hasMessageContaining("port is 70000")
        .hasMessageContaining("cluster is ''")
        .hasMessageContaining("'here'")
        .hasMessageContaining("backups is 2");
    assertThat(Stream.of(SECRET.toString(), MemberSettings.alone().toString()))
        .noneMatch(text -> text.contains(SECRET.reveal()));
  }
}

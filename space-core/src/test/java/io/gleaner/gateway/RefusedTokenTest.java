package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gleaner.secrets.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A token that one node does not know may be known to another. */
@Timeout(120)
class RefusedTokenTest {
  private static final ConnectSettings PATIENT =
      new ConnectSettings(Duration.ofSeconds(60), Duration.ofSeconds(120));

  private static final Duration POLL = Duration.ofMillis(10);

  @TempDir Path folder;
  private TestGateway stranger;
  private TestGateway friend;

  @BeforeEach
  void twoNodes() throws Exception {
    stranger = TestGateway.startUsual(new RememberingEngine(), folder);
    friend = TestGateway.startUsual(new RememberingEngine(), folder);
  }

  @AfterEach
  void end() throws Exception {
    stranger.close();
    friend.close();
  }

  @Test
  void theNextNodeIsTried() {
    try (GatewayConnection client = connect(friend.token)) {
      assertThat(client.isUp()).isTrue();
      assertThat(friend.server.clients()).isEqualTo(1);
    }
  }

  @Test
  void whoBreaksOffFromItsNodeComesBackToIt() throws Exception {
    try (CuttingProxy wire = CuttingProxy.to(friend.server.port());
        GatewayConnection client =
            GatewayConnection.connect(
                List.of(wire.address(), stranger.address()), friend.token, "mobile", PATIENT)) {
      Tuples tuples = Tuples.in(client.engine());
      wire.bars(true);
      var take = tuples.take("awaited", 600_000);
      Awaitility.await().pollInterval(POLL).until(() -> stranger.server.strangers() > 0);
      Awaitility.await().pollInterval(POLL).until(() -> stranger.server.strangers() == 0);
      wire.bars(false);
      Tuples.answer(tuples.write("awaited"));
      assertThat(Tuples.answer(take)).isEqualTo(Tuples.found("awaited"));
    }
  }

  @Test
  void whoIsKnownToNoneIsTold() {
    assertThatExceptionOfType(GatewayException.class)
        .isThrownBy(() -> connect(Secret.random()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(GatewayException.Code.TOKEN_REFUSED));
  }

  private GatewayConnection connect(Secret token) {
    return GatewayConnection.connect(
        List.of(stranger.address(), friend.address()), token, "mobile", PATIENT);
  }
}

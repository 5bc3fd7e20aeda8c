package io.gleaner.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.SecurityRefusal;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class LoopbackOnlyTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost", "LOCALHOST"})
  void loopbackIsAllowed(String host) {
    assertThat(LoopbackOnly.check(host).isLoopbackAddress()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.1", "192.168.1.2", "169.254.0.1", "8.8.8.8"})
  void everythingElseIsRefusedWithTheReason(String host) {
    assertThatThrownBy(() -> LoopbackOnly.check(host))
        .isInstanceOfSatisfying(
            SecurityRefusal.class,
            e -> assertThat(e.code()).isEqualTo(SecurityRefusal.Code.NOT_LOOPBACK))
        .hasMessageContaining("no certificates would protect");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "no such host",
        "127.0.0.1.example.com",
        "127.1",
        "127.0.0.256",
        "ip6-localhost"
      })
  void whatIsNoAddressIsRefused(String host) {
    assertThatThrownBy(() -> LoopbackOnly.check(host)).isInstanceOf(SecurityRefusal.class);
  }
}

package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class GatewayAddressTest {

  @Test
  void hostAndPortAreReadAndWritten() {
    assertThat(GatewayAddress.parse(" 127.0.0.1:4701 ")).hasToString("127.0.0.1:4701");
    assertThat(GatewayAddress.parse("[::1]:4701")).isEqualTo(new GatewayAddress("::1", 4701));
    assertThat(GatewayAddress.parse("[::1]:4701")).hasToString("[::1]:4701");
  }

  @ParameterizedTest
  @CsvSource({
    "'', port is missing",
    "localhost, port is missing",
    ":4701, host is missing",
    "localhost:http, not a number",
    "localhost:70000, 1 to 65535",
    "localhost:0, 1 to 65535",
    "::1:4701, in brackets",
    "http://localhost:4701, leave out"
  })
  void anythingElseIsRefusedWithTheReason(String text, String reason) {
    assertThatThrownBy(() -> GatewayAddress.parse(text))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining(reason)
        .hasMessageContaining("127.0.0.1:4701");
  }

  @Test
  void wrongSettingsAreAllNamed() {
    GatewaySettings s = GatewaySettings.onPort(0);
    assertThatThrownBy(
            () ->
                new GatewaySettings(
                    s.host(),
                    -1,
                    10,
                    s.entryBytes(),
                    0,
                    s.waitingOperations(),
                    s.ofOwner(),
                    s.links(),
                    s.blobBytes(),
                    Duration.ZERO,
                    s.lease(),
                    s.patience(),
                    s.drain(),
                    s.rates()))
        .hasMessageContaining("1) port -1")
        .hasMessageContaining("2) frameBytes 10")
        .hasMessageContaining("batchEntries 0")
        .hasMessageContaining("PT0S");
  }
}

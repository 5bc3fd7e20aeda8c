package io.gleaner.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks go to public addresses, and to what the operator allows. */
@Timeout(60)
@Tag("S3")
class WebhookHostsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fc00::1]",
        "[fd12:3456::1]",
        "[ff02::1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:db8::1]",
        "localhost",
        "LOCALHOST.",
        "a.localhost"
      })
  void aPlaceThatOnlyTheNodeReachesIsRefused(String host) {
    URI place = URI.create("http://" + host + ":1/internal?admin=1");
    assertThat(place.getHost()).isNotNull();
    assertThat(WebhookHosts.PUBLIC.problemOf(place)).get().asString().contains("--webhook-hosts");
    assertThat(new WebhookHosts(Set.of(host)).problemOf(place)).isEmpty();
  }

  @Test
  void whatANameMeansDecidesWhenItIsTold() {
    URI place = URI.create("http://127.0.0.1:1/");
    assertThatThrownBy(() -> WebhookHosts.PUBLIC.require(place))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("public addresses only");
    assertThatCode(() -> new WebhookHosts(Set.of("127.0.0.1")).require(place))
        .doesNotThrowAnyException();
    assertThat(WebhookHosts.PUBLIC.problemOf(URI.create("https://example.org/hooks"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"93.184.215.14", "8.8.8.8", "172.32.0.1", "2606:2800:21f:cb07::1"})
  void aPublicAddressPasses(String address) throws IOException {
    assertThat(WebhookHosts.isPublic(InetAddress.getByName(address))).isTrue();
  }
}

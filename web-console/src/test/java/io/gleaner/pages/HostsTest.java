package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What requests hear whose host is none. */
@Timeout(120)
class HostsTest extends WithConsole {

  @Test
  void aHostThatIsNoneIsTheCallersFault() throws Exception {
    for (String host :
        List.of("a@b", "a, b", "[::1", "localhost:99999", "[::ffff:127.0.0.1]", "", "x.example")) {
      for (String path : List.of("/", "/api/v1/health", "/volunteer/space")) {
        assertThat(statusFor(host, path))
            .as("%s of '%s'", path, host)
            .containsAnyOf(" 400 ", " 421 ");
      }
    }
  }

  private String statusFor(String host, String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.server().port())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                  .getBytes(StandardCharsets.UTF_8));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
          .readLine();
    }
  }
}

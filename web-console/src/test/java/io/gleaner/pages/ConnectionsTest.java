package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever connects to a console and does not say whole requests. */
@Timeout(120)
@Tag("S10")
class ConnectionsTest extends WithConsole {
  private static final String HALF = "GET / HTTP/1.1\r\nHost: lo";
  private static final int PLACES = 512;
  private static final int TOO_MANY = 40;
  private static final int USERS = 400;

  @Test
  void halfRequestsGiveWayAndWhoIsKnownStays() throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try (Socket known = connected()) {
      assertThat(asks(known)).contains(" 200 ");
      for (int i = 0; i < PLACES + TOO_MANY; i++) {
        Socket stranger = connected();
        strangers.add(stranger);
        if (i % 2 == 0) {
          stranger.getOutputStream().write(HALF.getBytes(StandardCharsets.US_ASCII));
        }
      }
      assertThat(console.stranger().get("/api/v1/health").statusCode()).isEqualTo(200);
      for (Socket first : strangers.subList(0, TOO_MANY)) {
        assertThat(ended(first)).isTrue();
      }
      assertThat(asks(known)).contains(" 200 ");
    } finally {
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  @Test
  void ofOneUserOnlySoManyStay() throws Exception {
    String token = console.token("alice").reveal();
    List<Socket> hers = new ArrayList<>();
    try {
      for (int i = 0; i < USERS + TOO_MANY; i++) {
        Socket next = connected();
        hers.add(next);
        assertThat(asks(next, token)).contains(" 200 ");
      }
      for (int i = 0; i < PLACES; i++) {
        hers.add(connected());
      }
      assertThat(console.stranger().get("/api/v1/health").statusCode()).isEqualTo(200);
      assertThat(asks(hers.get(0), token)).contains(" 200 ");
      for (Socket beyond : hers.subList(USERS, USERS + TOO_MANY)) {
        assertThat(ended(beyond)).isTrue();
      }
    } finally {
      for (Socket each : hers) {
        each.close();
      }
    }
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.server().port());
    // Less than the minute after which every silent connection ends.
    socket.setSoTimeout(40_000);
    return socket;
  }

  private static boolean ended(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  /** The first line of the answer to somebody with a token. */
  private String asks(Socket socket) throws IOException {
    return asks(socket, console.token("alice").reveal());
  }

  private static String asks(Socket socket, String token) throws IOException {
    socket
        .getOutputStream()
        .write(
            "GET /api/v1/account?limit=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(token)
                .getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as("after '%s'", head).isNotNegative();
      head.append((char) next);
    }
    String length =
        head.toString()
            .toLowerCase(java.util.Locale.ROOT)
            .replaceAll("(?s).*content-length: (\\d+).*", "$1");
    in.readNBytes(Integer.parseInt(length));
    return head.substring(0, head.indexOf("\r\n"));
  }
}

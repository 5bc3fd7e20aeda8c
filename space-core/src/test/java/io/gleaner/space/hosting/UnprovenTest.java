package io.gleaner.space.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which connection is ended when too many prove nothing. */
@Timeout(60)
class UnprovenTest {
  private static final String HONEST = "127.0.0.3";
  private static final String FLOODING = "127.0.0.2";

  private final Unproven coming = new Unproven(() -> 0);

  @Test
  void theEldestOfWhoeverHasTheMostGivesWay() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket honest = from(HONEST, port)) {
      coming.begins(honest);
      for (int i = 0; i < 2 * Unproven.MOST; i++) {
        Socket stranger = from(FLOODING, port);
        silent.add(stranger);
        coming.begins(stranger);
      }
      assertThat(honest.isClosed()).as("who came first of all, alone from its address").isFalse();
      int kept = Unproven.MOST - 1;
      int gone = silent.size() - kept;
      assertThat(silent.subList(0, gone)).allMatch(Socket::isClosed);
      assertThat(silent.subList(gone, silent.size())).noneMatch(Socket::isClosed);
      silent.subList(gone, silent.size()).forEach(coming::ends);
      Socket later = from(FLOODING, port);
      silent.add(later);
      coming.begins(later);
      assertThat(honest.isClosed()).as("nobody has to go when others went").isFalse();
    } finally {
      for (Socket each : silent) {
        each.close();
      }
    }
  }

  /** The end that {@code port} accepts of a connection that comes from this address. */
  private static Socket from(String address, ServerSocket port) throws Exception {
    try (Socket there = new Socket()) {
      there.bind(new InetSocketAddress(address, 0));
      there.connect(port.getLocalSocketAddress());
      return port.accept();
    }
  }
}

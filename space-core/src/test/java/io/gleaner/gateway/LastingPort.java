package io.gleaner.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that ends and comes back: below those that the system gives to whoever wants
 * any, so that nobody gets it in between.
 */
final class LastingPort {
  private static final int LEAST = 10_000;
  private static final int MOST = 32_000;
  private static final int TRIES = 100;

  private LastingPort() {}

  static int find() throws IOException {
    IOException last = new IOException("no port was tried");
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LEAST, MOST);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }
}

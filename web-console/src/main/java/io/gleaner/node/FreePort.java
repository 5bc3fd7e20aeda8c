package io.gleaner.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.function.Consumer;

/** The port that was asked for, or any free one when somebody else has it. */
final class FreePort {
  private FreePort() {}

  /** Answers the port, or 0 for any after saying in a sentence that it is taken. */
  static int prefer(String what, InetAddress address, int port, Consumer<String> says) {
    if (port == 0) {
      return 0;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(address, port));
      return port;
    } catch (IOException e) {
      says.accept(
          "Port " + port + " is taken by somebody else; the " + what + " takes a free one.");
      return 0;
    }
  }
}

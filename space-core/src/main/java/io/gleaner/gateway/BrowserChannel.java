package io.gleaner.gateway;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.SocketAddress;

/**
 * The WebSocket of a browser (RFC 6455). The bytes of its binary messages are one stream: a frame
 * of ours may come in several messages, and several in one.
 */
final class BrowserChannel extends Channel {
  private static final short NORMAL = 1000;
  private static final short ONLY_BINARY = 1003;
  private static final short REFUSED = 1008;

  /** A control frame has 125 bytes, two of them for the code. */
  private static final int LONGEST_REASON = 123;

  private final ServerWebSocket socket;
  private final Runnable left;

  /**
   * @param left is told when it has ended
   */
  BrowserChannel(ServerWebSocket socket, Runnable left) {
    super(socket, socket);
    this.socket = socket;
    this.left = left;
  }

  @Override
  SocketAddress remote() {
    return socket.remoteAddress();
  }

  @Override
  void receive(Handler<Buffer> bytes) {
    socket.frameHandler(
        frame -> {
          if (frame.isText()) {
            socket.close(ONLY_BINARY, "text came; frames of the space are binary");
          } else if (frame.isBinary() || frame.isContinuation()) {
            bytes.handle(frame.binaryData());
          }
        });
  }

  @Override
  void onClose(Runnable closed) {
    socket.closeHandler(
        v -> {
          left.run();
          closed.run();
        });
  }

  @Override
  void end(String why) {
    // Whatever a sentence holds, each character becomes one byte.
    String reason = why.replaceAll("[^ -~]", "?");
    socket.close(
        why.isEmpty() ? NORMAL : REFUSED,
        reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
  }

  @Override
  void close() {
    socket.close();
  }
}

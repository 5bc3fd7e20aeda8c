package io.gleaner.gateway;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;

/** A TCP connection, in clear text or over TLS. */
final class SocketChannel extends Channel {
  private final NetSocket socket;

  SocketChannel(NetSocket socket) {
    super(socket, socket);
    this.socket = socket;
  }

  @Override
  SocketAddress remote() {
    return socket.remoteAddress();
  }

  @Override
  void receive(Handler<Buffer> bytes) {
    socket.handler(bytes);
  }

  @Override
  void onClose(Runnable closed) {
    socket.closeHandler(v -> closed.run());
  }

  @Override
  void end(String why) {
    socket.end().onComplete(done -> socket.close());
  }

  @Override
  void close() {
    socket.close();
  }
}

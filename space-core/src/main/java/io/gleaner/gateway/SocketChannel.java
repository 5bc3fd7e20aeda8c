package io.gleaner.gateway;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;

/** A TCP connection, in clear text or over TLS. */
record SocketChannel(NetSocket socket) implements Channel {

  @Override
  public SocketAddress remote() {
    return socket.remoteAddress();
  }

  @Override
  public void receive(Handler<Buffer> bytes) {
    socket.handler(bytes);
  }

  @Override
  public void onTrouble(Handler<Throwable> trouble) {
    socket.exceptionHandler(trouble);
  }

  @Override
  public void onClose(Runnable closed) {
    socket.closeHandler(v -> closed.run());
  }

  @Override
  public Future<Void> write(Buffer bytes) {
    return socket.write(bytes);
  }

  @Override
  public void pause() {
    socket.pause();
  }

  @Override
  public void resume() {
    socket.resume();
  }

  @Override
  public void end(String why) {
    socket.end().onComplete(done -> socket.close());
  }

  @Override
  public void close() {
    socket.close();
  }
}

package io.gleaner.http;

import io.netty.channel.Channel;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;

/**
 * Looks after the connections to a console from their first moment on. Belongs to the console's
 * event loop.
 */
public final class Connections implements Handler<HttpConnection> {
  /** As Vert.x calls what stands at the end of a connection, also when it becomes a WebSocket. */
  private static final String LAST = "handler";

  @Override
  public void handle(HttpConnection connection) {
    channel(connection).pipeline().addBefore(LAST, "control-frames", new ControlFrames());
  }

  private static Channel channel(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext().channel();
  }
}

package io.gleaner.gateway;

import io.gleaner.limits.Strangers;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;

/**
 * TLS of a connection that is one of the strangers until its handshake has ended. Belongs to the
 * event loop of its connection.
 */
class StrangersHandshake extends SslHandler {
  private final Strangers<Channel> strangers;

  StrangersHandshake(
      SSLEngine engine, boolean startTls, Executor executor, Strangers<Channel> strangers) {
    super(engine, startTls, executor);
    this.strangers = strangers;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    Channel channel = ctx.channel();
    if (channel.remoteAddress() instanceof InetSocketAddress address) {
      strangers
          .arrived(channel, address.getAddress())
          .ifPresent(
              leaving -> {
                var unused = leaving.close();
              });
      var unusedEnd = handshakeFuture().addListener(ended -> strangers.left(channel));
      var unusedClose = channel.closeFuture().addListener(closed -> strangers.left(channel));
    }
  }
}

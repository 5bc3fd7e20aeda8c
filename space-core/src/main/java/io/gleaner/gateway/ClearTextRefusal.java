package io.gleaner.gateway;

import io.gleaner.limits.Strangers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Tells whoever speaks clear text to a port of TLS so, in clear text, and hangs up. Belongs to the
 * event loop of its connection.
 */
final class ClearTextRefusal extends StrangersHandshake {
  private static final int RECORD_HEADER = 5;

  private final byte[] answer;
  private boolean begun;

  ClearTextRefusal(
      SSLEngine engine,
      boolean startTls,
      Executor executor,
      Strangers<Channel> strangers,
      byte[] answer) {
    super(engine, startTls, executor, strangers);
    this.answer = answer;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws SSLException {
    if (!begun) {
      if (in.readableBytes() < RECORD_HEADER) {
        return;
      }
      if (!isEncrypted(in, false)) {
        in.skipBytes(in.readableBytes());
        ctx.writeAndFlush(Unpooled.wrappedBuffer(answer)).addListener(ChannelFutureListener.CLOSE);
        return;
      }
      begun = true;
    }
    super.decode(ctx, in, out);
  }
}

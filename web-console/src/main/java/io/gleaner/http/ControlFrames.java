package io.gleaner.http;

import io.gleaner.limits.Rate;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the pings and pongs that come over a connection once it is a WebSocket. Vert.x answers
 * each ping, and keeps the answers of somebody who does not read them. Belongs to the event loop of
 * its connection.
 */
final class ControlFrames extends ChannelInboundHandlerAdapter {
  private static final int AT_ONCE = 20;
  private static final Duration ONE_MORE = Duration.ofSeconds(1);
  private static final long PARTING_SECONDS = 1;

  private final Rate rate = new Rate(AT_ONCE, ONE_MORE, System::nanoTime);
  private boolean over;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object frame) {
    boolean ping = frame instanceof PingWebSocketFrame;
    if (!over && (ping || frame instanceof PongWebSocketFrame) && rate.asks() != 0) {
      over = true;
      end(ctx);
    }
    // RFC 6455, 5.5.3: not every ping needs an answer of its own.
    if (over || (ping && !ctx.channel().isWritable())) {
      ReferenceCountUtil.release(frame);
    } else {
      ctx.fireChannelRead(frame);
    }
  }

  /** Reads nothing more; the sentence has a moment to arrive. */
  private static void end(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(false);
    var unusedParting =
        ctx.writeAndFlush(
            new CloseWebSocketFrame(
                WebSocketCloseStatus.POLICY_VIOLATION,
                "more than "
                    + AT_ONCE
                    + " pings or pongs came at once, or more than one a second"));
    // Not Channel.close, which waits until everything is written.
    var unusedEnd =
        ctx.executor()
            .schedule(
                () -> {
                  var unused = ctx.close();
                },
                PARTING_SECONDS,
                TimeUnit.SECONDS);
  }
}

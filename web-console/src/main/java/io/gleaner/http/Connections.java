package io.gleaner.http;

import io.gleaner.limits.Rate;
import io.gleaner.limits.Strangers;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the connections to a console from their first moment on: there are so many at a time,
 * and most of them only for who has shown who it is, so many for each. Belongs to the console's
 * event loop.
 */
public final class Connections implements Handler<HttpConnection> {
  static final int MOST_STRANGERS = 512;
  static final int MOST_OF_USER = 400;
  private static final int MOST = 4_096;
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  /** As Vert.x calls what stands at the end of a connection, also when it becomes a WebSocket. */
  private static final String LAST = "handler";

  private static final AttributeKey<Connections> OF = AttributeKey.valueOf(Connections.class, "of");

  private static final AttributeKey<String> USER = AttributeKey.valueOf(Connections.class, "user");

  private final Map<String, Integer> byUser = new HashMap<>();
  private final Strangers<Channel> strangers =
      new Strangers<>("the console", MOST_STRANGERS, System::nanoTime);
  private final Rate lines = new Rate(1, Duration.ofMinutes(1), System::nanoTime);
  private int open;

  @Override
  public void handle(HttpConnection connection) {
    Channel channel = channel(connection);
    if (open >= MOST) {
      if (lines.asks() == 0) {
        LOG.warn("the console has {} connections and takes no more", open);
      }
      end(channel);
      return;
    }
    open++;
    channel.attr(OF).set(this);
    channel.pipeline().addBefore(LAST, "control-frames", new ControlFrames());
    if (channel.remoteAddress() instanceof InetSocketAddress address) {
      strangers.arrived(channel, address.getAddress()).ifPresent(Connections::end);
    }
    var unused =
        channel
            .closeFuture()
            .addListener(
                closed -> {
                  open--;
                  strangers.left(channel);
                  String user = channel.attr(USER).get();
                  if (user != null) {
                    byUser.computeIfPresent(user, (u, count) -> count == 1 ? null : count - 1);
                  }
                });
  }

  /**
   * The user has sent this, and the connection does not give way to others from now on, unless the
   * user has very many already.
   */
  public static void known(HttpServerRequest request, String user) {
    Channel channel = channel(request.connection());
    Connections of = channel.attr(OF).get();
    if (of != null) {
      of.known(channel, user);
    }
  }

  private void known(Channel channel, String user) {
    int has = byUser.getOrDefault(user, 0);
    if (channel.attr(USER).get() == null && channel.isOpen() && has < MOST_OF_USER) {
      channel.attr(USER).set(user);
      byUser.put(user, has + 1);
      strangers.left(channel);
    }
  }

  private static Channel channel(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext().channel();
  }

  /** Without waiting until everything is written, as a channel's own close does here. */
  private static void end(Channel channel) {
    var unused = channel.pipeline().firstContext().close();
  }
}

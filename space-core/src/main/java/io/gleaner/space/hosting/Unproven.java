package io.gleaner.space.hosting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.limits.Rate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to this member whose other end has not proven yet that it is one. There are so
 * many of them at a time; another one takes the place of the eldest of the address that has the
 * most, so whoever is silent keeps nobody out. Safe for all threads; guarded by its monitor.
 */
final class Unproven {
  static final int MOST = 32;

  private static final Logger LOG = LoggerFactory.getLogger(Unproven.class);

  @GuardedBy("this")
  private final Map<Socket, InetAddress> eldestFirst = new LinkedHashMap<>();

  private final Rate lines;

  @GuardedBy("this")
  private long ended;

  /**
   * @param nanos a clock that never goes back
   */
  Unproven(LongSupplier nanos) {
    this.lines = new Rate(1, Duration.ofMinutes(1), nanos);
  }

  /** Takes one more, and closes another one if there are too many. */
  synchronized void begins(Socket socket) {
    if (eldestFirst.size() >= MOST) {
      Socket leaving = eldestOfTheBusiest();
      InetAddress from = eldestFirst.remove(leaving);
      close(leaving);
      ended++;
      if (lines.asks() == 0) {
        LOG.warn(
            "{} connections to the port of members were ended before they proved anything, to let"
                + " others in, the last one of {}; only members need to reach this port",
            ended,
            from);
        ended = 0;
      }
    }
    eldestFirst.put(socket, socket.getInetAddress());
  }

  /** It has proven what it is, or was refused. */
  synchronized void ends(Socket socket) {
    eldestFirst.remove(socket);
  }

  @GuardedBy("this")
  private Socket eldestOfTheBusiest() {
    Map<InetAddress, Integer> counts = new HashMap<>();
    eldestFirst.values().forEach(each -> counts.merge(each, 1, Integer::sum));
    InetAddress busiest = Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    return eldestFirst.entrySet().stream()
        .filter(each -> each.getValue().equals(busiest))
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("a connection that proved nothing could not be closed", e);
    }
  }
}

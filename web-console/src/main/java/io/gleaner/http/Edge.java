package io.gleaner.http;

import io.gleaner.http.ConsoleException.Code;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;

/** What every request passes first: the host it meant, and the headers of every answer. */
public final class Edge implements Handler<RoutingContext> {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

  @Override
  public void handle(RoutingContext ctx) {
    MultiMap headers = ctx.response().headers();
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
    headers.set("Cache-Control", "no-store");
    // A page elsewhere whose name was rebound to 127.0.0.1 still sends its own name.
    HostAndPort authority = ctx.request().authority();
    if (authority == null || !HOSTS.contains(authority.host())) {
      throw new ConsoleException(
          Code.WRONG_HOST, "this console answers on 127.0.0.1 and localhost only");
    }
    ctx.next();
  }
}

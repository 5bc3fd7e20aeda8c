package io.gleaner.http;

import io.gleaner.http.ConsoleException.Code;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;

/** What every request passes first: the host it meant, and the headers of every answer. */
public final class Edge implements Handler<RoutingContext> {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  private static final int HTTPS = 443;
  private static final String HALF_A_YEAR = "max-age=15768000";

  private final Hosts hosts;
  private final boolean strict;

  /** At the edge of a console with these settings. */
  public Edge(ConsoleSettings settings) {
    this.hosts = new Hosts(settings.tls());
    // It would bind every port of the host, and others may serve there: not elsewhere than on 443.
    this.strict = settings.port() == HTTPS && settings.tls().filter(ConsoleTls::known).isPresent();
  }

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
    if (strict) {
      headers.set("Strict-Transport-Security", HALF_A_YEAR);
    }
    // A page elsewhere whose name was rebound to this address still sends its own name.
    HostAndPort authority = ctx.request().authority();
    if (authority == null || !hosts.contain(authority.host())) {
      throw new ConsoleException(Code.WRONG_HOST, "this console answers on " + hosts);
    }
    ctx.next();
  }
}

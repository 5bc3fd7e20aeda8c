package io.gleaner.http;

import io.gleaner.tls.Credentials;
import io.gleaner.tls.PoolKeys;
import java.util.function.Supplier;

/**
 * How a console proves to browsers and commands who it is.
 *
 * @param shows its certificate at the time of each handshake; it also answers under the names that
 *     stand there
 * @param known whether browsers know who issued it, as with an operator's own certificate
 */
public record ConsoleTls(Supplier<Credentials> shows, boolean known) {
  private static final String SENTENCE =
      "This console speaks TLS: write https:// instead of http:// before its address.\n";

  /** What somebody hears in clear text who speaks it. */
  public static final String IN_CLEAR =
      "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
          + "Connection: close\r\nContent-Length: "
          + SENTENCE.length()
          + "\r\n\r\n"
          + SENTENCE;

  public PoolKeys keys() {
    return PoolKeys.of(shows);
  }
}

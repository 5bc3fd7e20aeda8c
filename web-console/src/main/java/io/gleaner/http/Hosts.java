package io.gleaner.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The hosts under which a console answers: this machine's loopback, and those of a certificate. */
final class Hosts {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

  private final Optional<ConsoleTls> tls;

  Hosts(Optional<ConsoleTls> tls) {
    this.tls = tls;
  }

  /**
   * Whether a request that names this host was meant for the console.
   *
   * @param host a name or an address, IPv6 with or without brackets
   */
  boolean contain(String host) {
    if (LOOPBACK.contains(host)) {
      return true;
    }
    if (tls.isEmpty()) {
      return false;
    }
    Set<String> names = tls.get().shows().get().hosts();
    String name = plain(host.toLowerCase(Locale.ROOT));
    int dot = name.indexOf('.');
    return names.contains(name) || (dot > 0 && names.contains("*" + name.substring(dot)));
  }

  /** IPv6 addresses as certificates write them. */
  private static String plain(String host) {
    if (!host.contains(":")) {
      return host;
    }
    try {
      // What has a colon is never asked of a name server.
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      return host;
    }
  }

  /** For the sentence that refuses others. */
  @Override
  public String toString() {
    return tls.isEmpty()
        ? "127.0.0.1 and localhost only"
        : "localhost and the names in its certificate only";
  }
}

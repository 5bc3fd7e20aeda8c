package io.gleaner.pages;

import io.gleaner.http.ConsoleSettings;
import io.gleaner.tls.LoopbackOnly;
import io.gleaner.tls.NamedAddress;
import java.net.InetAddress;
import java.net.URI;

/**
 * Where a console listens and how it is written.
 *
 * @param scheme http or https
 * @param named as the operator named it
 */
record ConsoleAddress(String scheme, NamedAddress named) {

  static ConsoleAddress of(ConsoleSettings settings) {
    String host = settings.host();
    if (settings.tls().isEmpty()) {
      return new ConsoleAddress("http", new NamedAddress(host, LoopbackOnly.check(host)));
    }
    return new ConsoleAddress("https", NamedAddress.of("console", host));
  }

  InetAddress address() {
    return named.address();
  }

  /** Where to point a browser of this machine. */
  URI url(int port) {
    String host = named.reachedAt();
    return URI.create(
        scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/");
  }
}

package io.gleaner.gateway;

import io.gleaner.gateway.GatewayException.Code;

/** Where a gateway listens. */
public record GatewayAddress(String host, int port) {

  public GatewayAddress {
    if (host.isBlank()) {
      throw bad(host + ":" + port, "the host is missing");
    }
    if (port < 1 || port > 65_535) {
      throw bad(host + ":" + port, "the port must be 1 to 65535");
    }
  }

  /**
   * Reads {@code host:port}; an IPv6 address stands in brackets.
   *
   * @throws GatewayException if the text is anything else
   */
  public static GatewayAddress parse(String text) {
    String trimmed = text.strip();
    if (trimmed.contains("://")) {
      throw bad(text, "leave out the part up to ://");
    }
    int colon = trimmed.lastIndexOf(':');
    if (colon < 0) {
      throw bad(text, "the port is missing");
    }
    String host = trimmed.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.contains(":")) {
      throw bad(text, "write an IPv6 address in brackets");
    }
    try {
      return new GatewayAddress(host, Integer.parseInt(trimmed.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw bad(text, "the port is not a number");
    }
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  private static GatewayException bad(String text, String why) {
    return new GatewayException(
        Code.BAD_ADDRESS,
        "'" + text + "' is no address of a gateway: " + why + "; expected, say, 127.0.0.1:4701");
  }
}

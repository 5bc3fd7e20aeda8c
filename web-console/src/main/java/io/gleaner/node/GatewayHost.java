package io.gleaner.node;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where a gateway listens, which may be every address of the machine.
 *
 * @param listens as the operator named it
 * @param address the same, resolved
 */
record GatewayHost(String listens, InetAddress address) {

  /**
   * The host that the operator named.
   *
   * @throws SecurityRefusal if it is empty or unknown
   */
  static GatewayHost of(String host) {
    if (host.isBlank()) {
      throw new SecurityRefusal(
          Code.INVALID, "the gateway's address is empty; name one, 127.0.0.1 or 0.0.0.0 for all");
    }
    try {
      return new GatewayHost(host, InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      throw new SecurityRefusal(
          Code.INVALID, "the gateway's address " + host + " is unknown on this machine", e);
    }
  }

  /** Where programs on this machine find it. */
  String reachedAt() {
    return address.isAnyLocalAddress() ? "127.0.0.1" : listens;
  }
}

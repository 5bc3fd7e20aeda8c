package io.gleaner.tls;

import io.gleaner.secrets.SecurityRefusal;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The rule for every port in clear text: loopback, whatever the settings say. No flag overrides it.
 */
public final class LoopbackOnly {

  private LoopbackOnly() {}

  /**
   * The loopback address that the host names.
   *
   * @param host a name or a literal address
   * @throws SecurityRefusal if any of its addresses is not loopback, or the name is unknown
   */
  public static InetAddress check(String host) {
    InetAddress[] addresses = resolve(host);
    for (InetAddress address : addresses) {
      if (!address.isLoopbackAddress()) {
        throw refusal(
            "the address "
                + host
                + " is not loopback, and no certificates would protect this port, which speaks clear"
                + " text; use 127.0.0.1");
      }
    }
    return addresses[0];
  }

  private static InetAddress[] resolve(String host) {
    if (host.isBlank()) {
      // InetAddress takes the empty name for loopback, Vert.x for every interface.
      throw refusal("the address is empty; use 127.0.0.1");
    }
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw refusal(
          "the name " + host + " is unknown, and only loopback is allowed yet; use 127.0.0.1");
    }
  }

  private static SecurityRefusal refusal(String message) {
    return new SecurityRefusal(SecurityRefusal.Code.NOT_LOOPBACK, message);
  }
}

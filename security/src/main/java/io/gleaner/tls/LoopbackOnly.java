package io.gleaner.tls;

import io.gleaner.secrets.SecurityRefusal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * The rule for every port in clear text: loopback, whatever the settings say. No flag overrides it.
 * Of names only {@code localhost} is allowed: whoever connects asks again what a name means, and
 * may hear something else.
 */
public final class LoopbackOnly {

  private static final Pattern LITERAL_OR_LOCALHOST =
      Pattern.compile(
          "(?i)localhost"
              + "|(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])){3}"
              + "|\\[?[0-9a-f]*:[0-9a-f:.]*]?");

  private LoopbackOnly() {}

  /**
   * The loopback address that the host names.
   *
   * @param host a literal address, or {@code localhost}
   * @throws SecurityRefusal if it is anything else, or not loopback
   */
  public static InetAddress check(String host) {
    if (host.isBlank()) {
      // InetAddress takes the empty name for loopback, Vert.x for every interface.
      throw refusal("the address is empty; use 127.0.0.1");
    }
    if (!LITERAL_OR_LOCALHOST.matcher(host).matches()) {
      throw refusal(
          "'"
              + host
              + "' is not the literal address of a machine, and this port, which speaks clear text,"
              + " is trusted to no other name than localhost; use 127.0.0.1");
    }
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
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw refusal("the address " + host + " means nothing on this machine; use 127.0.0.1");
    }
  }

  private static SecurityRefusal refusal(String message) {
    return new SecurityRefusal(SecurityRefusal.Code.NOT_LOOPBACK, message);
  }
}

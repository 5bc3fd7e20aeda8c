package io.gleaner.tls;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where a port that is protected by certificates listens, which may be every address of the
 * machine.
 *
 * @param listens as the operator named it
 * @param address the same, resolved
 */
public record NamedAddress(String listens, InetAddress address) {
  private static final String LOOPBACK = "127.0.0.1";

  /**
   * The host that the operator named.
   *
   * @param what listens there, for the sentence
   * @throws SecurityRefusal if it is empty or unknown
   */
  public static NamedAddress of(String what, String host) {
    if (host.isBlank()) {
      throw new SecurityRefusal(
          Code.INVALID,
          "the " + what + "'s address is empty; name one, 127.0.0.1 or 0.0.0.0 for all");
    }
    try {
      return new NamedAddress(host, InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      throw new SecurityRefusal(
          Code.INVALID, "the " + what + "'s address " + host + " is unknown on this machine", e);
    }
  }

  /** Where programs on this machine find it. */
  public String reachedAt() {
    return isEverywhere() ? LOOPBACK : listens;
  }

  /** Whether it is every address of this machine. */
  public boolean isEverywhere() {
    return address.isAnyLocalAddress();
  }

  public boolean isLoopback() {
    return address.isLoopbackAddress();
  }
}

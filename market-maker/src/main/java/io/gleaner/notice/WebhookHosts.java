package io.gleaner.notice;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where webhooks may go: to public addresses, because whoever submits a bag names the place and the
 * node may reach what the submitter cannot; and to hosts that the operator allows. Immutable.
 *
 * @param allowed names or literal addresses, whatever they mean
 */
public record WebhookHosts(Set<String> allowed) {
  /** Nothing but public addresses. */
  public static final WebhookHosts PUBLIC = new WebhookHosts(Set.of());

  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9a-f]*:[0-9a-f:.]*");

  public WebhookHosts {
    allowed = allowed.stream().map(WebhookHosts::plain).collect(Collectors.toUnmodifiableSet());
  }

  /** What is wrong with the place as far as its name says; asks nobody. */
  public Optional<String> problemOf(URI place) {
    String host = plain(place.getHost());
    boolean local = host.equals("localhost") || host.endsWith(".localhost");
    if (!allowed.contains(host) && (local || isLiteralWithin(host))) {
      return Optional.of(refusal(host));
    }
    return Optional.empty();
  }

  /**
   * Lets a place pass all of whose addresses are public now.
   *
   * @throws IOException if it is another one, or means nothing; the message says so
   */
  void require(URI place) throws IOException {
    String host = plain(place.getHost());
    if (allowed.contains(host)) {
      return;
    }
    for (InetAddress address : InetAddress.getAllByName(host)) {
      if (!isPublic(address)) {
        throw new IOException(refusal(host));
      }
    }
  }

  private static boolean isLiteralWithin(String host) {
    if (!LITERAL.matcher(host).matches()) {
      return false;
    }
    try {
      return !isPublic(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return true;
    }
  }

  private static String refusal(String host) {
    return "the node tells public addresses only, and "
        + host
        + " is none; name another host, or ask the operator to allow it (--webhook-hosts)";
  }

  /** Whether everybody could reach it, as far as the address says. */
  static boolean isPublic(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (address instanceof Inet6Address) {
      // Global unicast, without documentation, Teredo and 6to4, which lead to another address.
      int first = ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
      int second = ((bytes[2] & 0xff) << 8) | (bytes[3] & 0xff);
      return first >> 13 == 1
          && first != 0x2002
          && !(first == 0x2001 && (second == 0 || second == 0xdb8));
    }
    return address instanceof Inet4Address
        && !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isSiteLocalAddress()
        && !address.isMulticastAddress()
        && !isReserved(bytes[0] & 0xff, bytes[1] & 0xff, bytes[2] & 0xff);
  }

  private static boolean isReserved(int first, int second, int third) {
    return first == 0
        || first >= 240
        || (first == 100 && second >= 64 && second < 128)
        || (first == 192 && second == 0 && (third == 0 || third == 2))
        || (first == 198 && (second == 18 || second == 19))
        || (first == 198 && second == 51 && third == 100)
        || (first == 203 && second == 0 && third == 113);
  }

  /** Lower case, without the brackets of an IPv6 address or the dot at the end of a name. */
  private static String plain(String host) {
    String lower = host.strip().toLowerCase(Locale.ROOT);
    String bare = lower.replace("[", "").replace("]", "");
    return bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
  }
}

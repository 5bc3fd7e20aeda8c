package io.gleaner.identity;

import java.util.Arrays;

/** What one person can send from: an address, of IPv6 a network of 64 bits. */
public final class AddressNetwork {
  private static final int GROUPS = 8;

  private AddressNetwork() {}

  /** The network of an address that is written in full. */
  public static String of(String address) {
    String[] groups = address.split(":", -1);
    return groups.length == GROUPS
        ? String.join(":", Arrays.copyOf(groups, GROUPS / 2)) + "::/64"
        : address;
  }
}

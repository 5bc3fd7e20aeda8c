package io.gleaner.authority;

import java.util.Locale;
import java.util.Optional;

/** What the holder of a certificate is in the pool. */
public enum PoolRole {
  /** A node of the market; the only role that is ever accepted as a server. */
  NODE,
  /** A machine that lends its idle time. */
  DEVICE,
  /** A browser that lends the time of a tab, for WebAssembly only. */
  BROWSER,
  /** A program that uses the space. */
  APPLICATION,
  /** A user's machine, from which they submit and read. */
  MACHINE;

  /** As it stands in identities, tokens and on the wire. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it offers its time in the market and earns. */
  public boolean lends() {
    return this == DEVICE || this == BROWSER;
  }

  /** The role with this text, or empty. */
  public static Optional<PoolRole> of(String text) {
    for (PoolRole role : values()) {
      if (role.text().equals(text)) {
        return Optional.of(role);
      }
    }
    return Optional.empty();
  }
}

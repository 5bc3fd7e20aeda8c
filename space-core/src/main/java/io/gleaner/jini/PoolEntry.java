package io.gleaner.jini;

import net.jini.entry.AbstractEntry;

/** What a node tells a lookup service about its pool; {@code null} fields match anything. */
public final class PoolEntry extends AbstractEntry {
  private static final long serialVersionUID = 1L;

  /** The pool's name. */
  public String pool;

  /** {@code host:port} of the node's gateway. */
  public String gateway;

  /** URL of the node's console, or empty. */
  public String console;

  /** SHA-256 of the key of the pool's authority in hexadecimal, for people; may be empty. */
  public String certificateFingerprint;

  public PoolEntry() {}

  /**
   * The name, if it may be a pool's.
   *
   * @throws IllegalArgumentException if it may not, with what a name is made of
   */
  public static String requireName(String pool) {
    return RiverSettings.word("name of a pool", pool);
  }

  public PoolEntry(String pool, String gateway, String console, String certificateFingerprint) {
    this.pool = pool;
    this.gateway = gateway;
    this.console = console;
    this.certificateFingerprint = certificateFingerprint;
  }
}

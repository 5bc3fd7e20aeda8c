package io.gleaner.authority;

import java.util.Optional;

/**
 * Where the encrypted keys of the pool's authorities lie, each under its authority's fingerprint. A
 * node on a database of its own keeps them as files in its data folder, where a copy of the
 * database does not contain them; nodes that share a database keep them there, because they share
 * the authority ({@link SqlAuthorityKeys}).
 */
public interface AuthorityKeys {
  /** Keeps an encrypted key; it is safe when this returns. */
  void write(Fingerprint authority, byte[] sealed);

  /** The encrypted key, or empty if it is not here. */
  Optional<byte[]> read(Fingerprint authority);

  /** Removes it; nothing happens if it is not here. */
  void remove(Fingerprint authority);
}

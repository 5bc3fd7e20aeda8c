package io.gleaner.authority;

import io.gleaner.authority.PoolRegistry.Entry;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.KeyPair;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys of the pool's authorities, encrypted with one passphrase. Opening one takes long on
 * purpose, so what this node made or opened is kept. Safe for all threads.
 */
final class Keyring {
  private final AuthorityKeys sealed;
  private final Secret passphrase;
  private final SealedKey sealing;
  private final Map<Fingerprint, KeyPair> opened = new ConcurrentHashMap<>();

  Keyring(AuthorityKeys sealed, Secret passphrase, SealedKey sealing) {
    this.sealed = sealed;
    this.passphrase = passphrase;
    this.sealing = sealing;
  }

  /** Encrypts and writes the key of an authority that is not in the registry yet. */
  void write(Fingerprint authority, KeyPair pair) {
    sealed.write(authority, sealing.seal(pair, passphrase));
  }

  /** The authority is in the registry, so that its key may be needed at once. */
  void keep(Fingerprint authority, KeyPair pair) {
    opened.put(authority, pair);
  }

  void remove(Fingerprint authority) {
    sealed.remove(authority);
    opened.remove(authority);
  }

  /**
   * The key of the authority.
   *
   * @throws SecurityRefusal if the encrypted key is not here, or the passphrase is not its own
   */
  KeyPair of(Entry authority) {
    return opened.computeIfAbsent(authority.fingerprint(), fingerprint -> open(authority));
  }

  private KeyPair open(Entry authority) {
    byte[] bytes =
        sealed
            .read(authority.fingerprint())
            .orElseThrow(
                () ->
                    new SecurityRefusal(
                        Code.AUTHORITY_LOCKED,
                        "the encrypted key of the pool's authority "
                            + authority.fingerprint()
                            + " is not here; restore it from a backup"));
    return SealedKey.open(bytes, authority.own(), passphrase);
  }
}

package io.gleaner.bag;

import io.gleaner.signing.Signer;
import java.util.List;
import java.util.Optional;

/**
 * Whose signatures of programs the pool vouches for, and what it has revoked. Safe for all threads.
 */
public interface Signers {
  /**
   * A key of a user, or something revoked.
   *
   * @param subject the key, or the digest of a signed manifest; 64 hexadecimal digits
   * @param owner whose key it is, or who revoked it
   */
  record Known(String subject, String owner, boolean revoked) {}

  /**
   * Vouches for a key; doing so again changes nothing.
   *
   * @throws BagException if it is revoked, somebody else's, or one too many
   */
  Known add(String owner, Signer signer);

  /**
   * Revokes a key or a signed manifest, for good.
   *
   * @param subject 64 hexadecimal digits
   */
  Known revoke(String subject, String by);

  /** What is known, or what of it has this owner; at most 10,000. */
  List<Known> list(Optional<String> owner);
}

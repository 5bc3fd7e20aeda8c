package io.gleaner.bag;

import io.gleaner.audit.Actor;
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
   * @param owner whose key it is; for a signed manifest who revoked it
   */
  record Known(String subject, String owner, boolean revoked) {}

  /**
   * Vouches for a key that its holder proved to have; doing so again changes nothing.
   *
   * @param owner whose key it is from now on
   * @throws BagException if it is revoked, somebody else's, or one too many
   */
  Known add(Actor owner, Signer signer);

  /**
   * Revokes a key or a signed manifest, for good; doing so again changes nothing.
   *
   * @param subject 64 hexadecimal digits
   */
  Known revoke(String subject, Actor by);

  /** What is known of a key, or of a signed manifest. */
  Optional<Known> find(String subject);

  /** What is known, or what of it has this owner; at most 10,000. */
  List<Known> list(Optional<String> owner);
}

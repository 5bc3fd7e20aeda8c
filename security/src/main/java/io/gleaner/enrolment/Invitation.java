package io.gleaner.enrolment;

import io.gleaner.authority.PoolRole;
import java.time.Duration;
import java.util.Optional;

/**
 * What a join token is to allow.
 *
 * @param role what its holder becomes
 * @param owner the user on whose behalf it acts
 * @param name what it is called in the pool; empty for a random one
 * @param life how long the token can be used
 */
public record Invitation(PoolRole role, String owner, Optional<String> name, Duration life) {

  /** As this, for a holder of that name. */
  Invitation called(String wanted) {
    return new Invitation(role, owner, Optional.of(wanted), life);
  }
}

package io.gleaner.enrolment;

import io.gleaner.authority.PoolRole;

/**
 * What a valid join token allows.
 *
 * @param role what its holder is
 * @param owner the user on whose behalf it acts
 */
public record JoinGrant(PoolRole role, String owner) {}

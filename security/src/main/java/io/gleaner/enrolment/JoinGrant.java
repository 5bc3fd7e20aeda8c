package io.gleaner.enrolment;

/**
 * What a valid join token allows.
 *
 * @param role what its holder is, {@link JoinTokens#LAUNCHER} or {@link JoinTokens#APPLICATION}
 * @param owner the user on whose behalf it acts
 */
public record JoinGrant(String role, String owner) {}

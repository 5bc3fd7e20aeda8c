package io.gleaner.identity;

import java.time.Instant;

/**
 * What is known of a token; not the token.
 *
 * @param id twelve digits that name it, the first of its SHA-256
 * @param label what its owner calls it; may be empty
 */
public record ApiToken(
    String id, String user, TokenScope scope, String label, Instant issued, Instant expires) {

  /** Who comes with it. */
  public record Bearer(User user, TokenScope scope) {
    public Bearer {
      user = scope.limit(user);
    }
  }
}

package io.gleaner.identity;

import java.util.EnumSet;
import java.util.Set;

/**
 * Who asks.
 *
 * @param parties what it is
 * @param owner the user on whose behalf it acts
 * @param id its own name; for a user the same
 */
public record Principal(Set<Party> parties, String owner, String id) {

  public Principal {
    parties = Set.copyOf(parties);
  }

  /** Somebody who has signed in. */
  public static Principal of(User user) {
    Set<Party> parties = EnumSet.of(Party.USER);
    user.roles().forEach(role -> parties.add(Party.of(role)));
    return new Principal(parties, user.name(), user.name());
  }

  @Override
  public String toString() {
    return owner.equals(id) ? owner : owner + "/" + id;
  }
}

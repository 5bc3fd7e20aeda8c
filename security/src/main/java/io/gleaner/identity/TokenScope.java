package io.gleaner.identity;

import io.gleaner.identity.Permissions.Action;
import java.util.EnumSet;
import java.util.Set;

/** How much of what its user may do an API token may do. */
public enum TokenScope {
  /** Reads what the user may read. */
  READ,
  /** Submits, changes and reads bags, as a user who is no operator and no auditor. */
  SUBMIT,
  /** Everything. */
  FULL;

  /** What remains of the user. */
  User limit(User user) {
    if (this != SUBMIT) {
      return user;
    }
    Set<Role> roles = EnumSet.noneOf(Role.class);
    if (user.is(Role.OWNER)) {
      roles.add(Role.OWNER);
    }
    // An operator submits too.
    if (user.is(Role.SUBMITTER) || user.is(Role.OPERATOR)) {
      roles.add(Role.SUBMITTER);
    }
    return new User(user.name(), roles);
  }

  boolean allows(Action action, Thing what) {
    return switch (this) {
      case READ -> action == Action.READ || action == Action.HEAR;
      case SUBMIT ->
          action == Action.READ || action == Action.HEAR || what.kind().equals(Thing.BAG);
      case FULL -> true;
    };
  }
}

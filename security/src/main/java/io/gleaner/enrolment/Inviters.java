package io.gleaner.enrolment;

import io.gleaner.authority.PoolRole;
import io.gleaner.identity.Permissions;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Principal;
import io.gleaner.identity.Thing;
import io.gleaner.identity.Users;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Whether somebody may invite, by the roles that the database has in the transaction of what is
 * decided: nobody can take a role away between the question and the answer.
 */
final class Inviters {
  private Inviters() {}

  /** Why the user may not invite such a member; empty if it may. */
  static Optional<String> refusal(Connection connection, String user, PoolRole role, String owner)
      throws SQLException {
    return Users.locked(connection, user)
        .map(Principal::of)
        .map(who -> Permissions.refusal(who, Action.WRITE, Thing.member(owner, role.text())))
        .orElseGet(() -> Optional.of("there is no user '" + user + "'"));
  }
}

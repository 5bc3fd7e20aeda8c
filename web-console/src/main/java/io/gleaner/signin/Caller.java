package io.gleaner.signin;

import io.gleaner.http.ConsoleException;
import io.gleaner.identity.Permissions;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Principal;
import io.gleaner.identity.Sessions.Session;
import io.gleaner.identity.Thing;
import io.gleaner.identity.User;
import java.util.Optional;

/**
 * The user behind a request.
 *
 * @param session the browser's session; empty for a program with an API token
 */
public record Caller(User user, Optional<Session> session) {

  public String name() {
    return user.name();
  }

  /** Whether the table of permissions allows it. */
  public boolean may(Action action, Thing what) {
    return Permissions.allow(Principal.of(user), action, what);
  }

  /**
   * Demands that the table of permissions allows it.
   *
   * @throws ConsoleException FORBIDDEN if it does not
   */
  public void require(Action action, Thing what) {
    Permissions.refusal(Principal.of(user), action, what)
        .ifPresent(
            sentence -> {
              throw new ConsoleException(ConsoleException.Code.FORBIDDEN, sentence);
            });
  }

  /** Whether the caller may submit bags. */
  public boolean submits() {
    return may(Action.WRITE, Thing.of(Thing.BAG, name()));
  }

  /**
   * Demands the role of a submitter.
   *
   * @throws ConsoleException FORBIDDEN for others
   */
  public void requireSubmitter() {
    if (!submits()) {
      throw new ConsoleException(
          ConsoleException.Code.FORBIDDEN,
          name() + " may look but not submit; ask the operator for the role of a submitter");
    }
  }
}

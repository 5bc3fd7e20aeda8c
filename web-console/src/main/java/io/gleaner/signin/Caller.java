package io.gleaner.signin;

import io.gleaner.audit.Actor;
import io.gleaner.http.ConsoleException;
import io.gleaner.identity.Permissions;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Principal;
import io.gleaner.identity.Sessions.Session;
import io.gleaner.identity.Thing;
import io.gleaner.identity.TokenScope;
import io.gleaner.identity.User;
import java.util.Optional;

/**
 * The user behind a request.
 *
 * @param session the browser's session; empty for a program with an API token
 * @param scope what the token is for; everything with a session
 * @param from the address that asks
 */
public record Caller(User user, Optional<Session> session, TokenScope scope, String from) {

  public String name() {
    return user.name();
  }

  /** Whether the table of permissions allows it. */
  public boolean may(Action action, Thing what) {
    return refusal(action, what).isEmpty();
  }

  /**
   * Demands that the table of permissions allows it.
   *
   * @throws ConsoleException FORBIDDEN if it does not
   */
  public void require(Action action, Thing what) {
    refusal(action, what)
        .ifPresent(
            sentence -> {
              throw new ConsoleException(ConsoleException.Code.FORBIDDEN, sentence);
            });
  }

  /** Who is to stand in the security log. */
  public Actor actor() {
    return new Actor(name(), from);
  }

  private Optional<String> refusal(Action action, Thing what) {
    return Permissions.refusal(Principal.of(user), scope, action, what);
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

package io.gleaner.signin;

import io.gleaner.http.ConsoleException;
import io.gleaner.identity.Role;
import io.gleaner.identity.Sessions.Session;
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

  /** Whether the caller sees the bags of everybody. */
  public boolean seesAll() {
    return user.is(Role.OPERATOR) || user.is(Role.AUDITOR);
  }

  /** Whether the caller sees what belongs to the owner. */
  public boolean sees(String owner) {
    return seesAll() || user.name().equals(owner);
  }

  /** Whether the caller may change what belongs to the owner. */
  public boolean steers(String owner) {
    return user.is(Role.OPERATOR) || (user.is(Role.SUBMITTER) && user.name().equals(owner));
  }

  public boolean submits() {
    return user.is(Role.SUBMITTER) || user.is(Role.OPERATOR);
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

package io.gleaner.rest;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.identity.ApiToken;
import io.gleaner.identity.ApiTokens;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Role;
import io.gleaner.identity.Sessions;
import io.gleaner.identity.Thing;
import io.gleaner.identity.TokenScope;
import io.gleaner.identity.User;
import io.gleaner.identity.Users;
import io.gleaner.secrets.Secret;
import io.gleaner.signin.Caller;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Users and their tokens, as far as a caller may see and change them. Its methods block, and throw
 * {@link ConsoleException} FORBIDDEN where the table of permissions does not allow it.
 */
public final class Accounts {
  private final Users users;
  private final Sessions sessions;
  private final ApiTokens tokens;
  private final Consumer<String> welcome;

  /**
   * Accounts of a node.
   *
   * @param welcome is told the name of each new user, to grant the first credits
   */
  public Accounts(Users users, Sessions sessions, ApiTokens tokens, Consumer<String> welcome) {
    this.users = users;
    this.sessions = sessions;
    this.tokens = tokens;
    this.welcome = welcome;
  }

  /** Those that the caller may see, by name. */
  public List<User> list(Caller caller) {
    if (caller.may(Action.READ, Thing.every(Thing.ACCOUNT))) {
      return users.list();
    }
    caller.require(Action.READ, Thing.of(Thing.ACCOUNT, caller.name()));
    return users.find(caller.name()).stream().toList();
  }

  public User add(Caller caller, String name, Set<Role> roles, Secret password) {
    caller.require(Action.WRITE, Thing.of(Thing.ACCOUNT, name));
    User user = users.create(caller.actor(), name, roles, password);
    welcome.accept(name);
    return user;
  }

  /** Gives other roles; who is signed in with the old ones is signed out. */
  public void changeRoles(Caller caller, String name, Set<Role> roles) {
    caller.require(Action.CHANGE, Thing.of(Thing.ROLES, name));
    users.changeRoles(caller.actor(), name, roles);
    sessions.endAllOf(name);
  }

  /**
   * Gives another password; who is signed in with the old one is signed out.
   *
   * @param current the caller's own, without which nobody changes their own
   */
  public void changePassword(
      Caller caller, String name, Optional<Secret> current, Secret password) {
    caller.require(Action.CHANGE, Thing.of(Thing.ACCOUNT, name));
    boolean proved =
        !caller.name().equals(name)
            || current.filter(old -> users.isPassword(name, old, caller.from())).isPresent();
    if (!proved) {
      throw new ConsoleException(
          Code.WRONG_PASSWORD, "the current password is missing or not the right one");
    }
    users.changePassword(caller.actor(), name, password);
    sessions.endAllOf(name);
  }

  /** Tokens of a user that have not ended, the newest first. */
  public List<ApiToken> tokens(Caller caller, String user) {
    caller.require(Action.READ, Thing.of(Thing.API_TOKEN, user));
    return tokens.list(user);
  }

  /** A new token, which cannot be seen again. */
  public Secret issue(Caller caller, String user, TokenScope scope, String label, Duration life) {
    caller.require(Action.WRITE, Thing.of(Thing.API_TOKEN, user));
    return tokens.issue(caller.actor(), user, scope, label, life);
  }

  /**
   * Ends a token.
   *
   * @throws ConsoleException NOT_FOUND if there is none of that id that the caller may end
   */
  public ApiToken revoke(Caller caller, String id) {
    ApiToken token =
        tokens
            .find(id)
            .filter(found -> caller.may(Action.READ, Thing.of(Thing.API_TOKEN, found.user())))
            .orElseThrow(
                () -> new ConsoleException(Code.NOT_FOUND, "there is no such token of yours"));
    caller.require(Action.CHANGE, Thing.of(Thing.API_TOKEN, token.user()));
    tokens.revoke(caller.actor(), token);
    return token;
  }
}

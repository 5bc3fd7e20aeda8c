package io.gleaner.rest;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.identity.ApiToken;
import io.gleaner.identity.Role;
import io.gleaner.identity.TokenScope;
import io.gleaner.identity.User;
import io.gleaner.secrets.Secret;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Users, their roles and passwords, and the tokens of their programs. */
public final class UserOperations {
  private static final int MOST_DAYS = 366;

  private final Accounts accounts;
  private final OffLoop offLoop;
  private final OffLoop passwords;

  /** A user as others see it. */
  record UserView(String name, List<Role> roles) {
    static UserView of(User user) {
      return new UserView(user.name(), user.roles().stream().sorted().toList());
    }
  }

  record UserList(List<UserView> users) {}

  record NewUser(String name, Set<Role> roles, String password) {}

  record NewRoles(Set<Role> roles) {}

  record NewPassword(String current, String password) {}

  record TokenList(List<ApiToken> tokens) {}

  record TokenRequest(TokenScope scope, String label, Integer days) {}

  /** The token itself: seen once. */
  record Issued(String token) {}

  /**
   * Operations on accounts.
   *
   * @param passwords where passwords are hashed
   */
  public UserOperations(Accounts accounts, OffLoop offLoop, OffLoop passwords) {
    this.accounts = accounts;
    this.offLoop = offLoop;
    this.passwords = passwords;
  }

  void list(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    offLoop
        .call(() -> new UserList(accounts.list(caller).stream().map(UserView::of).toList()))
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  void add(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    NewUser asked = Json.read(ctx.body().buffer(), NewUser.class);
    Secret password = password(asked.password());
    String name = required("name", asked.name());
    Set<Role> roles = required("roles", asked.roles());
    passwords
        .call(() -> UserView.of(accounts.add(caller, name, roles, password)))
        .onSuccess(user -> Json.send(ctx, 201, user))
        .onFailure(ctx::fail);
  }

  void changeRoles(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    Set<Role> roles = required("roles", Json.read(ctx.body().buffer(), NewRoles.class).roles());
    offLoop
        .call(
            () -> {
              accounts.changeRoles(caller, name, roles);
              return UserView.of(new User(name, roles));
            })
        .onSuccess(user -> Json.send(ctx, 200, user))
        .onFailure(ctx::fail);
  }

  void changePassword(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    NewPassword asked = Json.read(ctx.body().buffer(), NewPassword.class);
    Secret password = password(asked.password());
    Optional<Secret> current =
        Optional.ofNullable(asked.current()).filter(text -> !text.isEmpty()).map(Secret::of);
    passwords
        .call(
            () -> {
              accounts.changePassword(caller, name, current, password);
              return name;
            })
        .onSuccess(done -> ctx.response().setStatusCode(204).end())
        .onFailure(ctx::fail);
  }

  void tokens(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    offLoop
        .call(() -> new TokenList(accounts.tokens(caller, name)))
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  void issue(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    TokenRequest asked = Json.read(ctx.body().buffer(), TokenRequest.class);
    TokenScope scope = required("scope", asked.scope());
    int days = required("days", asked.days());
    String label = Optional.ofNullable(asked.label()).orElse("");
    if (days < 1 || days > MOST_DAYS) {
      throw new ConsoleException(
          Code.INVALID_REQUEST, "days must be a whole number from 1 to " + MOST_DAYS);
    }
    offLoop
        .call(
            () ->
                new Issued(
                    accounts.issue(caller, name, scope, label, Duration.ofDays(days)).reveal()))
        .onSuccess(issued -> Json.send(ctx, 201, issued))
        .onFailure(ctx::fail);
  }

  void revoke(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String id = ctx.pathParam("id");
    offLoop
        .call(() -> accounts.revoke(caller, id))
        .onSuccess(token -> Json.send(ctx, 200, token))
        .onFailure(ctx::fail);
  }

  private static Secret password(String text) {
    String password = required("password", text);
    if (password.isEmpty()) {
      throw new ConsoleException(Code.INVALID_REQUEST, "the field 'password' is empty");
    }
    return Secret.of(password);
  }

  private static <T> T required(String field, T value) {
    if (value == null) {
      throw new ConsoleException(Code.INVALID_REQUEST, "the field '" + field + "' is missing");
    }
    return value;
  }
}

package io.gleaner.pages;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.identity.ApiToken;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Role;
import io.gleaner.identity.Thing;
import io.gleaner.identity.TokenScope;
import io.gleaner.identity.User;
import io.gleaner.rest.Accounts;
import io.gleaner.secrets.Secret;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The users, and of each the roles, the password and the API tokens. */
public final class UsersPage {
  private static final int MOST_DAYS = 366;

  private final Accounts accounts;
  private final Frames frames;
  private final OffLoop offLoop;
  private final OffLoop passwords;

  /**
   * The list.
   *
   * @param adds whether the caller may add users
   */
  public record Listed(List<User> users, boolean adds) {}

  /**
   * One user.
   *
   * @param own whether it is the caller, who needs the current password to change it
   * @param changesRoles whether the caller may
   * @param changesPassword whether the caller may
   * @param issues whether the caller may issue and revoke tokens of the user
   * @param issued a token that was just issued, else empty
   */
  public record Shown(
      User user,
      boolean own,
      boolean changesRoles,
      boolean changesPassword,
      boolean issues,
      List<ApiToken> tokens,
      String issued) {}

  UsersPage(Accounts accounts, Frames frames, OffLoop offLoop, OffLoop passwords) {
    this.accounts = accounts;
    this.frames = frames;
    this.offLoop = offLoop;
    this.passwords = passwords;
  }

  /** A role or scope as people read it. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Roles as people read them. */
  public static String words(Set<Role> roles) {
    return roles.isEmpty()
        ? "no role"
        : roles.stream().sorted().map(UsersPage::word).collect(Collectors.joining(", "));
  }

  void list(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    Frame frame = frames.of(caller, "Users", "users");
    offLoop
        .call(
            () ->
                new Listed(
                    accounts.list(caller), caller.may(Action.WRITE, Thing.every(Thing.ACCOUNT))))
        .onSuccess(page -> Templates.send(ctx, 200, "users", Map.of("frame", frame, "page", page)))
        .onFailure(ctx::fail);
  }

  void show(RoutingContext ctx) {
    show(ctx, 200, "");
  }

  void add(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    MultiMap form = ctx.request().formAttributes();
    String name = text(form, "name").strip();
    Secret password = secret(form, "password");
    Set<Role> roles = roles(form);
    passwords
        .call(() -> accounts.add(caller, name, roles, password))
        .onSuccess(user -> go(ctx, user.name()))
        .onFailure(ctx::fail);
  }

  void changeRoles(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    Set<Role> roles = roles(ctx.request().formAttributes());
    offLoop
        .call(
            () -> {
              accounts.changeRoles(caller, name, roles);
              return name;
            })
        .onSuccess(user -> go(ctx, user))
        .onFailure(ctx::fail);
  }

  void changePassword(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    MultiMap form = ctx.request().formAttributes();
    Secret password = secret(form, "password");
    String current = text(form, "current");
    passwords
        .call(
            () -> {
              accounts.changePassword(
                  caller,
                  name,
                  current.isEmpty() ? Optional.empty() : Optional.of(Secret.of(current)),
                  password);
              return name;
            })
        .onSuccess(user -> go(ctx, user))
        .onFailure(ctx::fail);
  }

  void issue(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    MultiMap form = ctx.request().formAttributes();
    TokenScope scope =
        Arrays.stream(TokenScope.values())
            .filter(each -> word(each).equals(text(form, "scope")))
            .findFirst()
            .orElseThrow(() -> new ConsoleException(Code.INVALID_REQUEST, "choose a scope"));
    int days = Requests.number("days", text(form, "days"), 1, MOST_DAYS);
    String label = text(form, "label").strip();
    offLoop
        .call(() -> accounts.issue(caller, name, scope, label, Duration.ofDays(days)))
        .onSuccess(token -> show(ctx, 201, token.reveal()))
        .onFailure(ctx::fail);
  }

  void revoke(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String id = text(ctx.request().formAttributes(), "token");
    offLoop
        .call(() -> accounts.revoke(caller, id))
        .onSuccess(token -> go(ctx, token.user()))
        .onFailure(ctx::fail);
  }

  private void show(RoutingContext ctx, int status, String issued) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    Frame frame = frames.of(caller, name, "users");
    offLoop
        .call(() -> shown(caller, name, issued))
        .onSuccess(
            page -> Templates.send(ctx, status, "user", Map.of("frame", frame, "page", page)))
        .onFailure(ctx::fail);
  }

  private Shown shown(Caller caller, String name, String issued) {
    User user =
        accounts.list(caller).stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () -> new ConsoleException(Code.NOT_FOUND, "there is no such user for you"));
    return new Shown(
        user,
        caller.name().equals(name),
        caller.may(Action.CHANGE, Thing.of(Thing.ROLES, name)),
        caller.may(Action.CHANGE, Thing.of(Thing.ACCOUNT, name)),
        caller.may(Action.WRITE, Thing.of(Thing.API_TOKEN, name)),
        accounts.tokens(caller, name),
        issued);
  }

  private static void go(RoutingContext ctx, String user) {
    ctx.response().setStatusCode(303).putHeader("Location", "/users/" + user).end();
  }

  private static Set<Role> roles(MultiMap form) {
    return Arrays.stream(Role.values())
        .filter(role -> form.getAll("role").contains(word(role)))
        .collect(Collectors.toSet());
  }

  private static Secret secret(MultiMap form, String field) {
    String text = text(form, field);
    if (text.isEmpty()) {
      throw new ConsoleException(Code.INVALID_REQUEST, "enter a password");
    }
    return Secret.of(text);
  }

  private static String text(MultiMap form, String field) {
    return Optional.ofNullable(form.get(field)).orElse("");
  }
}

package io.gleaner.rest;

import io.gleaner.audit.Actor;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.PoolRegistry.Holder;
import io.gleaner.authority.PoolRole;
import io.gleaner.enrolment.Invitation;
import io.gleaner.enrolment.Members;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.identity.Users;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Who is in the pool, who may come, and who has to go; each change is in the security log, in its
 * own transaction.
 */
public final class MemberOperations {
  private static final long LEAST_SECONDS = 60;
  private static final long MOST_SECONDS = Duration.ofDays(366).toSeconds();

  private final Members members;
  private final Users users;
  private final NodeFacts node;
  private final OffLoop offLoop;

  /**
   * Who is to join; what is missing is a device of the caller's with a name of its own, for an
   * hour.
   *
   * @param again for a member of this name that lost its key
   */
  record Wish(String role, String owner, String name, Long seconds, Boolean again) {}

  /** A token that can be seen this once. */
  record Invited(
      String token,
      String role,
      String owner,
      String name,
      Instant expires,
      String authority,
      String gateway) {}

  /**
   * A member.
   *
   * @param revoked when it was ended; null if it was not
   * @param reason why; empty if it was not
   */
  record Member(
      String name,
      String role,
      String owner,
      Instant since,
      Instant ends,
      Instant revoked,
      String reason) {}

  record MemberList(List<Member> members) {}

  /** Invitations that nobody has used yet. */
  record InvitationList(List<Members.Open> invitations) {}

  record Reason(String reason) {}

  /** The authorities that are trusted, the one that issues first. */
  record Authorities(List<String> fingerprints) {}

  record Retired(String fingerprint, Boolean force) {}

  /** Operations on the members of a node's pool. */
  public MemberOperations(Members members, Users users, NodeFacts node, OffLoop offLoop) {
    this.members = members;
    this.users = users;
    this.node = node;
    this.offLoop = offLoop;
  }

  void invite(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    Wish wish = Json.read(ctx.body().buffer(), Wish.class);
    answer(ctx, 201, () -> invite(ctx, caller, wish));
  }

  void list(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    answer(
        ctx,
        200,
        () ->
            new MemberList(
                members.all().stream()
                    .filter(holder -> caller.may(Action.READ, thing(holder)))
                    .map(MemberOperations::view)
                    .toList()));
  }

  void invited(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    answer(
        ctx,
        200,
        () ->
            new InvitationList(
                members.invited().stream()
                    .filter(open -> caller.may(Action.READ, thing(open)))
                    .toList()));
  }

  void cancel(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    answer(ctx, 200, () -> cancel(ctx, caller, name));
  }

  void revoke(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    String name = ctx.pathParam("name");
    String said = Json.read(ctx.body().buffer(), Reason.class).reason();
    String reason = said == null || said.isBlank() ? "no reason was given" : said.strip();
    answer(ctx, 200, () -> revoke(ctx, caller, name, reason));
  }

  void authority(RoutingContext ctx) {
    Authentication.callerOf(ctx).require(Action.READ, Thing.every(Thing.AUTHORITY));
    answer(ctx, 200, this::authorities);
  }

  void rotate(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    caller.require(Action.CHANGE, Thing.every(Thing.AUTHORITY));
    answer(
        ctx,
        200,
        () -> {
          Fingerprint unused = members.rotate(actor(ctx, caller));
          return authorities();
        });
  }

  void retire(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    caller.require(Action.CHANGE, Thing.every(Thing.AUTHORITY));
    Retired wish = Json.read(ctx.body().buffer(), Retired.class);
    boolean force = wish.force() != null && wish.force();
    answer(
        ctx,
        200,
        () -> {
          Fingerprint old = Fingerprint.parse(said(wish.fingerprint()).orElse(""));
          members.retire(old, force, actor(ctx, caller));
          return authorities();
        });
  }

  private Invited invite(RoutingContext ctx, Caller caller, Wish wish) {
    PoolRole role =
        PoolRole.of(said(wish.role()).orElse(PoolRole.DEVICE.text()))
            .filter(each -> each != PoolRole.NODE)
            .orElseThrow(
                () ->
                    new ConsoleException(
                        Code.INVALID_REQUEST,
                        "there is no such role; expected device, browser or application"));
    String owner = said(wish.owner()).orElse(caller.name());
    Optional<String> name = said(wish.name());
    boolean again = wish.again() != null && wish.again();
    long seconds = wish.seconds() == null ? Duration.ofHours(1).toSeconds() : wish.seconds();
    if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
      throw new ConsoleException(
          Code.INVALID_REQUEST, "a join token lives for a minute to 366 days");
    }
    if (again && name.isEmpty()) {
      throw new ConsoleException(Code.INVALID_REQUEST, "whose key was lost? Say the name");
    }
    caller.require(Action.WRITE, Thing.member(owner, role.text()));
    Invitation invitation = new Invitation(role, owner, name, Duration.ofSeconds(seconds));
    if (users.find(owner).isEmpty()) {
      throw new ConsoleException(
          Code.INVALID_REQUEST,
          "there is no user '"
              + owner
              + "' on whose behalf it could act; add the user first ('gleaner users add'), or name"
              + " another");
    }
    Actor by = actor(ctx, caller);
    Members.Invited made =
        again ? members.inviteAgain(invitation, name.get(), by) : members.invite(invitation, by);
    return new Invited(
        made.token().text().reveal(),
        role.text(),
        owner,
        made.name(),
        made.expires(),
        members.authorities().get(0).toString(),
        node.gatewayAddress());
  }

  private MemberList revoke(RoutingContext ctx, Caller caller, String name, String reason) {
    List<Holder> holders = members.named(name);
    for (Holder holder : holders) {
      caller.require(Action.CHANGE, thing(holder));
    }
    List<Members.Open> invited = members.invited(name);
    for (Members.Open open : invited) {
      caller.require(Action.CHANGE, thing(open));
    }
    if (holders.isEmpty() && invited.isEmpty()) {
      caller.require(Action.CHANGE, Thing.every(Thing.MEMBER));
    }
    List<Holder> ended = members.revoke(name, reason, actor(ctx, caller));
    return new MemberList(ended.stream().map(MemberOperations::view).toList());
  }

  private InvitationList cancel(RoutingContext ctx, Caller caller, String name) {
    // What is another user's looks as if it were not there.
    List<Members.Open> ended =
        members.invited(name).stream()
            .filter(open -> caller.may(Action.CHANGE, thing(open)))
            .filter(open -> members.cancel(open, actor(ctx, caller)))
            .toList();
    if (ended.isEmpty()) {
      throw new ConsoleException(
          Code.NOT_FOUND,
          "no unused invitation of yours is for '"
              + name
              + "'; 'gleaner invitations' lists them, and who has joined is ended with 'gleaner"
              + " revoke'");
    }
    return new InvitationList(ended);
  }

  private Authorities authorities() {
    return new Authorities(members.authorities().stream().map(Fingerprint::toString).toList());
  }

  private static Actor actor(RoutingContext ctx, Caller caller) {
    return new Actor(caller.name(), ctx.request().remoteAddress().host());
  }

  private <T> void answer(RoutingContext ctx, int status, Callable<T> work) {
    offLoop.call(work).onSuccess(answer -> Json.send(ctx, status, answer)).onFailure(ctx::fail);
  }

  private static Thing thing(Holder holder) {
    return Thing.member(holder.identity().owner(), holder.identity().role().text());
  }

  private static Thing thing(Members.Open open) {
    return Thing.member(open.owner(), open.role());
  }

  private static Member view(Holder holder) {
    return new Member(
        holder.identity().id(),
        holder.identity().role().text(),
        holder.identity().owner(),
        holder.since(),
        holder.ends(),
        holder.revoked().map(revocation -> revocation.at()).orElse(null),
        holder.revoked().map(revocation -> revocation.reason()).orElse(""));
  }

  private static Optional<String> said(String text) {
    return Optional.ofNullable(text).map(String::strip).filter(each -> !each.isEmpty());
  }
}

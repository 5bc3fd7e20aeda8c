package io.gleaner.enrolment;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.MemberNames;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRole;
import io.gleaner.authority.Revocation;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The join tokens that promise a name. A name is promised to one (role, owner) at a time, and what
 * is looked at before is decided in the transaction of the promise, which is also that of its line
 * in the security log. Safe for all threads.
 */
final class Invitations {
  private static final int LONGEST_PREFIX = 40;
  private static final int RANDOM_LETTERS = 4;
  private static final int MOST_OPEN = 100;
  static final int MOST_BROWSERS = 200;
  static final int MOST_BROWSERS_AN_HOUR = 50;
  private static final Duration REMEMBERED = Duration.ofDays(30);

  private final JoinTokens tokens;
  private final InstantSource clock;

  /** To whom a name is promised. */
  private record Promise(String role, String owner) {}

  Invitations(JoinTokens tokens, InstantSource clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * Invites somebody new, without a name under one after the owner.
   *
   * @throws SecurityRefusal if the name is or was somebody's, or is promised
   */
  Members.Invited invite(Invitation invitation, Fingerprint authority, Actor by) {
    return tokens.inTransaction(
        "invite a member",
        connection -> {
          MemberNames.lock(connection);
          String name =
              invitation.name().isPresent()
                  ? free(connection, invitation.name().get())
                  : freeNameOf(connection, invitation.owner());
          return promise(connection, invitation.called(name), authority, by, "again=false");
        });
  }

  /**
   * Invites whoever has the name to bring another key, or somebody new if nobody has it.
   *
   * @throws SecurityRefusal if it is another user's, of another role, or revoked
   */
  Members.Invited again(Invitation invitation, Fingerprint authority, Actor by) {
    String name = invitation.name().orElseThrow();
    PoolIdentity.requireId(name);
    return tokens.inTransaction(
        "invite a member again",
        connection -> {
          MemberNames.lock(connection);
          requireSame(connection, invitation, name);
          return promise(connection, invitation, authority, by, "again=true");
        });
  }

  /**
   * Whether a name is that of a member, of an owner of one, or of somebody who is invited. From
   * here on nobody is invited until the caller's transaction ends.
   */
  static boolean know(Connection connection, String name) throws SQLException {
    MemberNames.lock(connection);
    return MemberNames.belong(connection, name)
        || !Sql.rows(
                connection,
                row -> row.getString(1),
                "select owner_name from join_token where lower(owner_name) = ? or member_id = ?",
                name.toLowerCase(Locale.ROOT),
                name.toLowerCase(Locale.ROOT))
            .isEmpty();
  }

  /** The invitations that nobody has used yet and that have not ended, by name. */
  List<Members.Open> open() {
    return tokens.inTransaction(
        "read the invitations",
        connection ->
            List.copyOf(
                Sql.rows(
                    connection,
                    row ->
                        new Members.Open(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            Instant.ofEpochMilli(row.getLong(4)),
                            Instant.ofEpochMilli(row.getLong(5)),
                            JoinTokens.nameOf(row.getString(6))),
                    "select member_id, role_name, owner_name, issued_millis, expires_millis,"
                        + " token_hash from join_token where member_id is not null"
                        + " and key_fingerprint is null and expires_millis > ?"
                        + " order by member_id, issued_millis",
                    clock.millis())));
  }

  /**
   * Ends an invitation, unless it was used a moment ago.
   *
   * @return whether it was ended
   */
  boolean cancel(Members.Open invitation, Actor by) {
    return tokens.inTransaction(
        "cancel an invitation",
        connection -> {
          MemberNames.lock(connection);
          boolean ended =
              Sql.update(
                      connection,
                      "delete from join_token where token_hash like ? and member_id = ?"
                          + " and key_fingerprint is null",
                      invitation.token() + "%",
                      invitation.name())
                  > 0;
          if (ended) {
            note(
                connection,
                Deed.JOIN_TOKEN_REVOKED,
                by,
                invitation.name(),
                "role=%s owner=%s token=%s"
                    .formatted(invitation.role(), invitation.owner(), invitation.token()));
          }
          return ended;
        });
  }

  private Members.Invited promise(
      Connection connection, Invitation named, Fingerprint authority, Actor by, String how)
      throws SQLException {
    String name = named.name().orElseThrow();
    forgetOld(connection);
    boolean byUser = !by.equals(Actor.NODE);
    // A start must not fail because of what people asked for, and replaces its own each time.
    if (byUser) {
      requireMay(connection, named, by);
      requireFew(connection, named.owner());
      if (named.role() == PoolRole.BROWSER) {
        requireFewBrowsers(connection, named.owner());
      }
    }
    JoinToken token = JoinToken.random(authority);
    tokens.keep(
        connection, named, token.secret(), byUser ? Optional.of(by.name()) : Optional.empty());
    note(
        connection,
        Deed.INVITED,
        by,
        name,
        "role=%s owner=%s %s token=%s"
            .formatted(named.role().text(), named.owner(), how, JoinTokens.nameOf(token.secret())));
    Instant expires = clock.instant().plus(named.life()).truncatedTo(ChronoUnit.SECONDS);
    return new Members.Invited(token, name, expires);
  }

  private void requireSame(Connection connection, Invitation invitation, String name)
      throws SQLException {
    Promise wanted = new Promise(invitation.role().text(), invitation.owner());
    Optional<PoolIdentity> holder = MemberNames.holder(connection, name);
    if (!holder.map(each -> new Promise(each.role().text(), each.owner())).stream()
            .allMatch(wanted::equals)
        || !promises(connection, name).stream().allMatch(wanted::equals)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "'"
              + name
              + "' is not a "
              + wanted.role()
              + " of "
              + wanted.owner()
              + ", and a name never changes hands; choose another name, or invite the one who has"
              + " it with its own role and user");
    }
    if (holder.isPresent()) {
      requireUnrevoked(connection, holder.get());
    }
  }

  private static void requireUnrevoked(Connection connection, PoolIdentity holder)
      throws SQLException {
    Optional<Revocation> revocation = MemberNames.revocation(connection, holder);
    if (revocation.isPresent()) {
      throw new SecurityRefusal(
          Code.INVALID,
          "'"
              + holder.id()
              + "' was revoked at "
              + revocation.get().at()
              + " and never comes back under this name; invite it without --again under another"
              + " one");
    }
  }

  private String free(Connection connection, String name) throws SQLException {
    PoolIdentity.requireId(name);
    if (!isFree(connection, name)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "'"
              + name
              + "' is or was a member of the pool, or is invited already; choose another name");
    }
    return name;
  }

  private String freeNameOf(Connection connection, String owner) throws SQLException {
    String letters = owner.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String prefix = letters.substring(0, Math.min(LONGEST_PREFIX, letters.length()));
    String name;
    do {
      name = prefix + "-" + PoolIdentity.randomId().substring(0, RANDOM_LETTERS);
    } while (!isFree(connection, name));
    return name;
  }

  private boolean isFree(Connection connection, String name) throws SQLException {
    return MemberNames.holder(connection, name).isEmpty() && promises(connection, name).isEmpty();
  }

  /** What ended a while ago is not worth a sentence to whoever comes with it. */
  private void forgetOld(Connection connection) throws SQLException {
    Sql.update(
        connection,
        "delete from join_token where expires_millis <= ?",
        clock.instant().minus(REMEMBERED).toEpochMilli());
  }

  private static void requireMay(Connection connection, Invitation named, Actor by)
      throws SQLException {
    Optional<String> refusal = Inviters.refusal(connection, by.name(), named.role(), named.owner());
    if (refusal.isPresent()) {
      throw new SecurityRefusal(Code.INVALID, refusal.get() + "; ask an operator for the role");
    }
  }

  private void requireFew(Connection connection, String owner) throws SQLException {
    long open =
        Sql.rows(
                connection,
                row -> row.getLong(1),
                "select count(*) from join_token where owner_name = ? and key_fingerprint is null"
                    + " and expires_millis > ?",
                owner,
                clock.millis())
            .get(0);
    if (open >= MOST_OPEN) {
      throw new SecurityRefusal(
          Code.INVALID,
          "there are "
              + open
              + " unused invitations for "
              + owner
              + " already, and "
              + MOST_OPEN
              + " are the most; cancel some ('gleaner invitations') or let them end");
    }
  }

  /** A page makes a browser at a click, so they would pile up. */
  private void requireFewBrowsers(Connection connection, String owner) throws SQLException {
    int acting = MemberNames.acting(connection, PoolRole.BROWSER, owner, clock.instant());
    if (acting >= MOST_BROWSERS) {
      throw new SecurityRefusal(
          Code.INVALID,
          owner
              + " has "
              + acting
              + " browsers in the pool, and "
              + MOST_BROWSERS
              + " are the most; revoke some ('gleaner members', 'gleaner revoke') or wait for their"
              + " certificates to end");
    }
    long lately =
        Sql.rows(
                connection,
                row -> row.getLong(1),
                "select count(*) from join_token where owner_name = ? and role_name = ?"
                    + " and issued_millis > ?",
                owner,
                PoolRole.BROWSER.text(),
                clock.instant().minus(Duration.ofHours(1)).toEpochMilli())
            .get(0);
    if (lately >= MOST_BROWSERS_AN_HOUR) {
      throw new SecurityRefusal(
          Code.INVALID,
          owner
              + " has asked for "
              + lately
              + " browsers within an hour, and "
              + MOST_BROWSERS_AN_HOUR
              + " are the most; wait, or use those that have joined");
    }
  }

  private void note(Connection connection, Deed deed, Actor by, String name, String detail)
      throws SQLException {
    SecurityLog.write(connection, clock.instant(), SecurityEvent.done(deed, by, name, detail));
  }

  private List<Promise> promises(Connection connection, String name) throws SQLException {
    return Sql.rows(
        connection,
        row -> new Promise(row.getString(1), row.getString(2)),
        "select role_name, owner_name from join_token where member_id = ? and expires_millis > ?",
        name,
        clock.millis());
  }
}

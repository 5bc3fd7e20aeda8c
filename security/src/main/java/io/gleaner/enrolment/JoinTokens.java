package io.gleaner.enrolment;

import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.PoolRole;
import io.gleaner.identity.Names;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Digests;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The tokens with which machines and programs join. A token fixes what its holder becomes and for
 * whom it acts. The table {@code join_token} holds the SHA-256 of its secret only: that is random
 * and long, so a slow hash would add nothing. Methods throw {@link SecurityRefusal}; safe for all
 * threads.
 */
public final class JoinTokens {
  private static final Duration LONGEST_LIFE = Duration.ofDays(366);
  private static final int NAME_DIGITS = 12;

  private final Sql sql;
  private final InstantSource clock;

  /** A row of the table. */
  private record Kept(
      String role,
      String owner,
      Instant expires,
      Optional<String> key,
      Optional<String> member,
      Optional<String> invitedBy) {}

  public JoinTokens(DataSource database, InstantSource clock) {
    this.sql = new Sql(database);
    this.clock = clock;
  }

  /** Issues a device's secret without a fingerprint, for a node that shows no certificate yet. */
  public Secret issue(String owner, Duration life) {
    return issue(PoolRole.DEVICE, owner, life);
  }

  /** Issues a secret without a fingerprint, for a node that shows no certificate yet. */
  public Secret issue(PoolRole role, String owner, Duration life) {
    Secret secret = Secret.random();
    keep(new Invitation(role, owner, Optional.empty(), life), secret);
    return secret;
  }

  /**
   * Issues a token to pass on; this is the only time that it can be seen.
   *
   * @param authority of the pool that the token leads to
   * @throws SecurityRefusal if the role, the owner's name or the lifetime is not acceptable
   */
  public JoinToken invite(PoolRole role, String owner, Duration life, Fingerprint authority) {
    JoinToken token = JoinToken.random(authority);
    keep(new Invitation(role, owner, Optional.empty(), life), token.secret());
    return token;
  }

  /**
   * What the token allows to whom shows nothing else, or empty if it is unknown, used, revoked or
   * expired. For gateways that do not ask for certificates yet.
   */
  public Optional<JoinGrant> check(Secret token) {
    Optional<String> hash = hash(token);
    return hash.flatMap(this::find)
        .filter(kept -> kept.expires().isAfter(clock.instant()) && kept.key().isEmpty())
        .flatMap(kept -> PoolRole.of(kept.role()).map(role -> new JoinGrant(role, kept.owner())));
  }

  /**
   * Uses the token up for a key. Who asks again with the same key, because the answer was lost,
   * hears the same.
   *
   * @param browser whether a browser asks; a token for one is for nobody else
   * @return who the holder of the key is from now on
   * @throws SecurityRefusal if the token is unknown, over, not for such a one, or another key used
   *     it
   */
  PoolIdentity use(Secret token, Fingerprint key, String pool, boolean browser) {
    String hash =
        hash(token).orElseThrow(() -> refusal("the join token was mistyped; copy it again"));
    requireFor(browser, hash);
    long now = clock.millis();
    boolean ours =
        sql.run(
                "use a join token",
                connection -> {
                  requireInviterMay(connection, hash, key);
                  return Sql.update(
                      connection,
                      "update join_token set key_fingerprint = ?,"
                          + " member_id = coalesce(member_id, ?),"
                          + " used_millis = coalesce(used_millis, ?)"
                          + " where token_hash = ? and expires_millis > ?"
                          + " and (key_fingerprint is null or key_fingerprint = ?)",
                      key.hex(),
                      PoolIdentity.randomId(),
                      now,
                      hash,
                      now,
                      key.hex());
                })
            == 1;
    Kept kept =
        find(hash)
            .orElseThrow(
                () -> refusal("the pool does not know this join token; ask for a new one"));
    if (!ours) {
      throw refusal(
          kept.key().isPresent() && !kept.key().get().equals(key.hex())
              ? "another key has used this join token already; if that was not you, tell the"
                  + " operator to revoke "
                  + kept.member().orElse("its member")
                  + ", and ask for a new token"
              : "the join token ended at " + kept.expires() + "; ask for a new one");
    }
    PoolRole role =
        PoolRole.of(kept.role())
            .orElseThrow(() -> refusal("the join token is for a role that this node lacks"));
    return new PoolIdentity(pool, role, kept.owner(), kept.member().orElseThrow());
  }

  /** Who made the token may have lost the role to do so; what was used before stays used. */
  private static void requireInviterMay(Connection connection, String hash, Fingerprint key)
      throws SQLException {
    for (Kept kept : rows(connection, hash)) {
      Optional<PoolRole> role = PoolRole.of(kept.role());
      if (kept.invitedBy().isPresent()
          && role.isPresent()
          && !kept.key().equals(Optional.of(key.hex()))
          && Inviters.refusal(connection, kept.invitedBy().get(), role.get(), kept.owner())
              .isPresent()) {
        throw refusal(
            kept.invitedBy().get()
                + ", who made this join token, may not invite any more; ask an operator for a new"
                + " one");
      }
    }
  }

  /** A token that came to the wrong door is not used up there; its role never changes. */
  private void requireFor(boolean browser, String hash) {
    Optional<Boolean> isFor = find(hash).map(kept -> kept.role().equals(PoolRole.BROWSER.text()));
    if (isFor.isPresent() && isFor.get() != browser) {
      throw refusal(
          browser
              ? "this join token is not for a browser; ask for one with the role 'browser'"
              : "this join token is for a browser, which joins at the console's address");
    }
  }

  /** Ends the token at once; nothing happens if it is unknown. */
  public void revoke(Secret token) {
    hash(token)
        .ifPresent(
            hash ->
                sql.run(
                    "revoke a join token",
                    connection ->
                        Sql.update(
                            connection, "delete from join_token where token_hash = ?", hash)));
  }

  /** Deletes what has expired and returns how many rows went. */
  public int sweep() {
    return sql.run(
        "sweep join tokens",
        connection ->
            Sql.update(
                connection, "delete from join_token where expires_millis <= ?", clock.millis()));
  }

  private void keep(Invitation invitation, Secret secret) {
    inTransaction(
        "issue a join token",
        connection -> {
          keep(connection, invitation, secret, Optional.empty());
          return invitation;
        });
  }

  /** Does the work in one transaction on the database of the tokens. */
  <T> T inTransaction(String what, Sql.Work<T> work) {
    return sql.run(what, work);
  }

  /**
   * Keeps a token in the caller's transaction; whether its name is free is not looked at.
   *
   * @param by the user who invites; empty for the node itself
   */
  void keep(Connection connection, Invitation invitation, Secret secret, Optional<String> by)
      throws SQLException {
    PoolRole role = invitation.role();
    Duration life = invitation.life();
    Names.require("owner", invitation.owner());
    invitation.name().ifPresent(PoolIdentity::requireId);
    if (role == PoolRole.NODE) {
      throw new SecurityRefusal(
          Code.INVALID, "a node does not join with a token; choose device, browser or application");
    }
    if (role == PoolRole.MACHINE) {
      throw new SecurityRefusal(
          Code.INVALID,
          "nothing is allowed to a user's machine by a certificate: commands go to the console with"
              + " an API token ('gleaner tokens issue'); choose device, browser or application");
    }
    if (life.isNegative() || life.isZero() || life.compareTo(LONGEST_LIFE) > 0) {
      throw new SecurityRefusal(
          Code.INVALID,
          "a join token cannot live for " + life + "; choose more than 0 and up to 366 days");
    }
    long now = clock.millis();
    Sql.update(
        connection,
        "insert into join_token"
            + " (token_hash, role_name, owner_name, issued_millis, expires_millis, member_id,"
            + " invited_by) values (?, ?, ?, ?, ?, ?, ?)",
        Digests.sha256Hex(secret.reveal()),
        role.text(),
        invitation.owner(),
        now,
        now + life.toMillis(),
        invitation.name().orElse(null),
        by.orElse(null));
  }

  private Optional<Kept> find(String hash) {
    return sql.run("check a join token", connection -> rows(connection, hash).stream().findFirst());
  }

  private static List<Kept> rows(Connection connection, String hash) throws SQLException {
    return Sql.rows(
        connection,
        row ->
            new Kept(
                row.getString(1),
                row.getString(2),
                Instant.ofEpochMilli(row.getLong(3)),
                Optional.ofNullable(row.getString(4)),
                Optional.ofNullable(row.getString(5)),
                Optional.ofNullable(row.getString(6))),
        "select role_name, owner_name, expires_millis, key_fingerprint, member_id, invited_by"
            + " from join_token where token_hash = ?",
        hash);
  }

  /** What the log and lists call a token that is whole: the start of its hash. */
  static String nameOf(Secret token) {
    return nameOf(hash(token).orElseThrow());
  }

  /** As above, of its hash. */
  static String nameOf(String hash) {
    return hash.substring(0, NAME_DIGITS);
  }

  // Looking up by hash tells a guesser nothing of the secret. Empty if the text is damaged.
  private static Optional<String> hash(Secret token) {
    try {
      Secret secret = JoinToken.isOne(token) ? JoinToken.parse(token).secret() : token;
      return Optional.of(Digests.sha256Hex(secret.reveal()));
    } catch (SecurityRefusal mistyped) {
      return Optional.empty();
    }
  }

  private static SecurityRefusal refusal(String why) {
    return new SecurityRefusal(Code.TOKEN_REFUSED, why);
  }
}

package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * To whom each name in the pool belongs, in the table {@code pool_name}. The market knows a member
 * by its name alone, so a name never changes hands: neither its owner nor its role. Works in the
 * caller's transaction; stateless.
 */
public final class MemberNames {
  private MemberNames() {}

  /** Makes the transactions that give out names or revoke wait for each other until they end. */
  public static void lock(Connection connection) throws SQLException {
    var unused =
        Sql.rows(
            connection,
            row -> row.getLong(1),
            "select version from pool_trust where one_row = 1 for update");
  }

  /** Whose name it is; empty if it was nobody's yet. */
  public static Optional<PoolIdentity> holder(Connection connection, String name)
      throws SQLException {
    return Sql.rows(
            connection,
            row -> stored(row.getString(1)),
            "select identity from pool_name where name = ?",
            name)
        .stream()
        .findFirst();
  }

  /** Whether it is the name of a member, or of a user on whose behalf one acts or acted. */
  public static boolean belong(Connection connection, String name) throws SQLException {
    String small = name.toLowerCase(Locale.ROOT);
    // A URI has three slashes behind its scheme, so each % is one part of it.
    return !Sql.rows(
            connection,
            row -> row.getString(1),
            "select identity from pool_name where name = ? or lower(identity) like ? escape '!'",
            small,
            "gleaner://%/%/" + small.replace("_", "!_") + "/%")
        .isEmpty();
  }

  /** How many members of a role act for that user: not revoked, their certificate not ended. */
  public static int acting(Connection connection, PoolRole role, String owner, Instant now)
      throws SQLException {
    return Sql.rows(
            connection,
            row -> row.getInt(1),
            "select count(distinct c.identity) from pool_certificate c"
                + " left join pool_revocation r on r.subject = c.identity"
                + " where c.identity like ? escape '!' and c.ends_millis > ? and r.subject is null",
            "gleaner://%/" + role.text() + "/" + owner.replace("_", "!_") + "/%",
            now.toEpochMilli())
        .get(0);
  }

  /** What ended the member with that name; empty if nothing did. */
  public static Optional<Revocation> revocation(Connection connection, PoolIdentity holder)
      throws SQLException {
    return SqlPoolRegistry.ending(connection, holder.uri());
  }

  /** The identity in a row of the database. */
  static PoolIdentity stored(String uri) {
    return PoolIdentity.parse(uri)
        .orElseThrow(() -> new SecurityRefusal(Code.STORAGE, "the database names '" + uri + "'"));
  }

  /**
   * Gives the member its name, if it has it not already.
   *
   * @throws SecurityRefusal if the name is another member's
   */
  static void claim(Connection connection, PoolIdentity identity) throws SQLException {
    lock(connection);
    Optional<PoolIdentity> holder = holder(connection, identity.id());
    if (holder.isEmpty()) {
      Sql.update(
          connection,
          "insert into pool_name (name, identity) values (?, ?)",
          identity.id(),
          identity.uri());
    } else if (!holder.get().equals(identity)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "the name '"
              + identity.id()
              + "' is another member's, so there is no certificate for "
              + identity
              + "; choose another name");
    }
  }
}

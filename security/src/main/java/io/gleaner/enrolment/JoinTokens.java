package io.gleaner.enrolment;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.gleaner.identity.Names;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Digests;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The tokens with which launchers and applications join. The table {@code join_token} holds their
 * SHA-256 only: they are random and long, so that a slow hash would add nothing. Safe for all
 * threads.
 */
public final class JoinTokens {
  /** The role of a machine that lends its idle time. */
  public static final String LAUNCHER = "launcher";

  /** The role of a program that uses the space. */
  public static final String APPLICATION = "application";

  private static final Duration LONGEST_LIFE = Duration.ofDays(366);

  private final DataSource database;
  private final InstantSource clock;

  public JoinTokens(DataSource database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Issues a launcher's token. */
  public Secret issue(String owner, Duration life) {
    return issue(LAUNCHER, owner, life);
  }

  /**
   * Issues a token; this is the only time that it can be seen.
   *
   * @throws SecurityRefusal if the role, the owner's name or the lifetime is not acceptable
   */
  public Secret issue(String role, String owner, Duration life) {
    Names.require("owner", owner);
    requireRole(role);
    if (life.isNegative() || life.isZero() || life.compareTo(LONGEST_LIFE) > 0) {
      throw new SecurityRefusal(
          Code.INVALID,
          "a join token cannot live for " + life + "; choose more than 0 and up to 366 days");
    }
    Secret token = Secret.random();
    long now = clock.millis();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into join_token"
                    + " (token_hash, role_name, owner_name, issued_millis, expires_millis)"
                    + " values (?, ?, ?, ?, ?)")) {
      insert.setString(1, Digests.sha256Hex(token.reveal()));
      insert.setString(2, role);
      insert.setString(3, owner);
      insert.setLong(4, now);
      insert.setLong(5, now + life.toMillis());
      insert.executeUpdate();
      return token;
    } catch (SQLException e) {
      throw storage("issue a join token", e);
    }
  }

  /** What the token allows, or empty if it is unknown, revoked or expired. */
  public Optional<JoinGrant> check(Secret token) {
    String hash = Digests.sha256Hex(token.reveal());
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "select token_hash, role_name, owner_name, expires_millis from join_token"
                    + " where token_hash = ?")) {
      select.setString(1, hash);
      try (ResultSet row = select.executeQuery()) {
        // The index finds by hash, which tells a guesser nothing of the token; the comparison that
        // decides takes the same time for every hash.
        if (!row.next()
            || !MessageDigest.isEqual(row.getString(1).getBytes(US_ASCII), hash.getBytes(US_ASCII))
            || row.getLong(4) <= clock.millis()) {
          return Optional.empty();
        }
        return Optional.of(new JoinGrant(row.getString(2), row.getString(3)));
      }
    } catch (SQLException e) {
      throw storage("check a join token", e);
    }
  }

  /** Ends the token at once; nothing happens if it is unknown. */
  public void revoke(Secret token) {
    try (Connection connection = database.getConnection();
        PreparedStatement delete =
            connection.prepareStatement("delete from join_token where token_hash = ?")) {
      delete.setString(1, Digests.sha256Hex(token.reveal()));
      delete.executeUpdate();
    } catch (SQLException e) {
      throw storage("revoke a join token", e);
    }
  }

  /** Deletes what has expired and returns how many rows went. */
  public int sweep() {
    try (Connection connection = database.getConnection();
        PreparedStatement delete =
            connection.prepareStatement("delete from join_token where expires_millis <= ?")) {
      delete.setLong(1, clock.millis());
      return delete.executeUpdate();
    } catch (SQLException e) {
      throw storage("sweep join tokens", e);
    }
  }

  private static void requireRole(String role) {
    if (!role.equals(LAUNCHER) && !role.equals(APPLICATION)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "'" + role + "' is no role to join with; choose " + LAUNCHER + " or " + APPLICATION);
    }
  }

  private static SecurityRefusal storage(String what, SQLException cause) {
    return new SecurityRefusal(
        Code.STORAGE, "the database could not " + what + ": " + cause.getMessage(), cause);
  }
}

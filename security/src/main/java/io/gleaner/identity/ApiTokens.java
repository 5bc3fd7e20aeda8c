package io.gleaner.identity;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Digests;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Tokens with which a user's programs call the REST interface; the table {@code api_token} holds
 * their SHA-256 only. Safe for all threads.
 */
public final class ApiTokens {
  private static final Duration LONGEST_LIFE = Duration.ofDays(366);

  private final DataSource database;
  private final InstantSource clock;
  private final Users users;

  public ApiTokens(DataSource database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.users = new Users(database, clock);
  }

  /**
   * Issues a token; this is the only time that it can be seen.
   *
   * @throws SecurityRefusal if there is no such user or the lifetime is not acceptable
   */
  public Secret issue(String userName, Duration life) {
    if (life.isNegative() || life.isZero() || life.compareTo(LONGEST_LIFE) > 0) {
      throw new SecurityRefusal(
          Code.INVALID,
          "an API token cannot live for " + life + "; choose more than 0 and up to 366 days");
    }
    if (users.find(userName).isEmpty()) {
      throw new SecurityRefusal(Code.UNKNOWN_USER, "there is no such user");
    }
    Secret token = Secret.random();
    long now = clock.millis();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into api_token (token_hash, user_name, issued_millis, expires_millis)"
                    + " values (?, ?, ?, ?)")) {
      insert.setString(1, Digests.sha256Hex(token.reveal()));
      insert.setString(2, userName);
      insert.setLong(3, now);
      insert.setLong(4, now + life.toMillis());
      insert.executeUpdate();
      return token;
    } catch (SQLException e) {
      throw storage("issue an API token", e);
    }
  }

  /** Whose token it is, or empty if it is unknown, revoked or expired. */
  public Optional<User> check(Secret token) {
    return holder(Digests.sha256Hex(token.reveal())).flatMap(users::find);
  }

  /** Ends the token at once; nothing happens if it is unknown. */
  public void revoke(Secret token) {
    try (Connection connection = database.getConnection();
        PreparedStatement delete =
            connection.prepareStatement("delete from api_token where token_hash = ?")) {
      delete.setString(1, Digests.sha256Hex(token.reveal()));
      delete.executeUpdate();
    } catch (SQLException e) {
      throw storage("revoke an API token", e);
    }
  }

  private Optional<String> holder(String hash) {
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "select user_name from api_token where token_hash = ? and expires_millis > ?")) {
      select.setString(1, hash);
      select.setLong(2, clock.millis());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw storage("check an API token", e);
    }
  }

  private static SecurityRefusal storage(String what, SQLException cause) {
    return new SecurityRefusal(
        Code.STORAGE, "the database could not " + what + ": " + cause.getMessage(), cause);
  }
}

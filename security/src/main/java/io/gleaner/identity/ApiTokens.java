package io.gleaner.identity;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.PlainText;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Digests;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Tokens with which a user's programs call the REST interface; the table {@code api_token} holds
 * their SHA-256 only. What is issued and revoked is in the security log. Safe for all threads.
 */
public final class ApiTokens {
  private static final Duration LONGEST_LIFE = Duration.ofDays(366);
  private static final int MOST_OF_ONE_USER = 100;
  private static final int LONGEST_LABEL = 64;
  private static final Pattern ID = Pattern.compile("[0-9a-f]{12}");

  private final Sql sql;
  private final InstantSource clock;
  private final Users users;
  private final SecurityLog log;

  public ApiTokens(DataSource database, InstantSource clock) {
    this.sql = new Sql(database);
    this.clock = clock;
    this.users = new Users(database, clock);
    this.log = new SecurityLog(database, clock);
  }

  /** Issues a token without limits by the node itself. */
  public Secret issue(String userName, Duration life) {
    return issue(Actor.NODE, userName, TokenScope.FULL, "", life);
  }

  /**
   * Issues a token; this is the only time that it can be seen.
   *
   * @throws SecurityRefusal if there is no such user, the label or lifetime is not acceptable, or
   *     the user has too many
   */
  public Secret issue(Actor by, String userName, TokenScope scope, String label, Duration life) {
    if (life.isNegative() || life.isZero() || life.compareTo(LONGEST_LIFE) > 0) {
      throw new SecurityRefusal(
          Code.INVALID,
          "an API token cannot live for " + life + "; choose more than 0 and up to 366 days");
    }
    if (label.length() > LONGEST_LABEL || !PlainText.of(label).equals(label)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "the label of a token has up to "
              + LONGEST_LABEL
              + " printable characters of one line; write it without line ends, tabs and characters"
              + " that nobody sees");
    }
    if (users.find(userName).isEmpty()) {
      throw new SecurityRefusal(Code.UNKNOWN_USER, "there is no such user");
    }
    Secret token = Secret.random();
    String hash = Digests.sha256Hex(token.reveal());
    long now = clock.millis();
    return sql.run(
        "issue an API token",
        connection -> {
          Sql.update(connection, "delete from api_token where expires_millis <= ?", now);
          requireRoom(connection, userName);
          Sql.update(
              connection,
              "insert into api_token (token_hash, user_name, issued_millis, expires_millis, scope,"
                  + " label) values (?, ?, ?, ?, ?, ?)",
              hash,
              userName,
              now,
              now + life.toMillis(),
              scope.name(),
              label);
          log.record(
              connection,
              SecurityEvent.done(
                  Deed.API_TOKEN_ISSUED,
                  by,
                  userName,
                  "token=" + hash.substring(0, 12) + " scope=" + scope + " life=" + life));
          return token;
        });
  }

  /** Who comes with it, or empty if it is unknown, revoked or expired. */
  public Optional<ApiToken.Bearer> check(Secret token) {
    List<ApiToken> found = select("token_hash = ?", Digests.sha256Hex(token.reveal()));
    return found.stream()
        .findFirst()
        .flatMap(
            known ->
                users.find(known.user()).map(user -> new ApiToken.Bearer(user, known.scope())));
  }

  /** Those of a user that have not ended, the newest first. */
  public List<ApiToken> list(String userName) {
    return select("user_name = ?", userName);
  }

  /** One of them by its id. */
  public Optional<ApiToken> find(String id) {
    return ID.matcher(id).matches()
        ? select("token_hash like ?", id + "%").stream().findFirst()
        : Optional.empty();
  }

  /** What is known of a token that has not ended. */
  public Optional<ApiToken> find(Secret token) {
    return select("token_hash = ?", Digests.sha256Hex(token.reveal())).stream().findFirst();
  }

  /** Ends the token at once; nothing happens if it is over. */
  public void revoke(Actor by, ApiToken token) {
    sql.run(
        "revoke an API token",
        connection -> {
          int gone =
              Sql.update(
                  connection,
                  "delete from api_token where token_hash like ? and user_name = ?",
                  token.id() + "%",
                  token.user());
          if (gone > 0) {
            log.record(
                connection,
                SecurityEvent.done(
                    Deed.API_TOKEN_REVOKED, by, token.user(), "token=" + token.id()));
          }
          return gone;
        });
  }

  private void requireRoom(Connection connection, String userName) throws SQLException {
    long has =
        Sql.rows(
                connection,
                row -> row.getLong(1),
                "select count(*) from api_token where user_name = ?",
                userName)
            .get(0);
    if (has >= MOST_OF_ONE_USER) {
      throw new SecurityRefusal(
          Code.INVALID,
          userName + " has " + has + " API tokens; revoke one before another is issued");
    }
  }

  private List<ApiToken> select(String condition, String value) {
    return sql.run(
        "read API tokens",
        connection ->
            Sql.rows(
                connection,
                ApiTokens::token,
                "select token_hash, user_name, scope, label, issued_millis, expires_millis"
                    + " from api_token where "
                    + condition
                    + " and expires_millis > ? order by issued_millis desc, token_hash",
                value,
                clock.millis()));
  }

  private static ApiToken token(ResultSet row) throws SQLException {
    return new ApiToken(
        row.getString(1).substring(0, 12),
        row.getString(2),
        TokenScope.valueOf(row.getString(3)),
        row.getString(4),
        Instant.ofEpochMilli(row.getLong(5)),
        Instant.ofEpochMilli(row.getLong(6)));
  }
}

package io.gleaner.identity;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Users whom an OpenID provider vouches for, in the table {@code identity_provider_user}. Issuer
 * and subject say who somebody is, and nothing else does; the name is what the user was called when
 * it came first. Safe for all threads.
 */
public final class ProviderUsers {
  private final Sql sql;
  private final InstantSource clock;
  private final SecurityLog log;
  private final AddressThrottle addresses;
  private final TakenNames taken;

  ProviderUsers(
      Sql sql, InstantSource clock, SecurityLog log, AddressThrottle addresses, TakenNames taken) {
    this.sql = sql;
    this.clock = clock;
    this.log = log;
    this.addresses = addresses;
    this.taken = taken;
  }

  /** Names that belong to somebody although no user has them: owners of machines, machines. */
  @FunctionalInterface
  public interface TakenNames {
    /** Whether it is one, written large or small; asked in the transaction of the new user. */
    boolean contain(Connection connection, String name) throws SQLException;
  }

  /**
   * Whom the provider knows; the subject is never given to somebody else.
   *
   * @param issuer the URL of the provider, at most 500 characters
   * @param subject what the provider calls the person, at most 255 characters
   */
  public record Identity(String issuer, String subject) {
    private static final int LONGEST_ISSUER = 500;
    private static final int LONGEST_SUBJECT = 255;

    public Identity {
      if (issuer.isBlank()
          || issuer.length() > LONGEST_ISSUER
          || subject.isBlank()
          || subject.length() > LONGEST_SUBJECT
          || subject.chars().anyMatch(Character::isISOControl)) {
        throw new SecurityRefusal(
            Code.INVALID,
            "the provider names nobody: expected a subject of 1 to "
                + LONGEST_SUBJECT
                + " characters");
      }
    }
  }

  /**
   * Counts a try of that address as a failure until it is {@link #excused}; those with passwords
   * count together with these.
   *
   * @throws SecurityRefusal if the address failed too often and must wait
   */
  public void begin(String from) {
    addresses.begin(from);
  }

  /** The try that the address began was right, or failed by no fault of its own. */
  public void excused(String from) {
    addresses.succeeded(from);
  }

  /**
   * Signs in whom the provider vouches for, and adds the user the first time; the log has both.
   *
   * @param called the name for a new user, empty if there is none; later ones change nothing
   * @param roles of a new user
   * @param from the address that asks
   * @throws SecurityRefusal if the name of a new user is none or belongs to somebody else, or the
   *     user has no role any more
   */
  public User signIn(Identity who, String called, Set<Role> roles, String from) {
    try {
      return signInOnce(who, called, roles, from);
    } catch (SecurityRefusal e) {
      if (!Users.isTaken(e)) {
        throw e;
      }
      // Somebody else was added at the same moment, or the same person: now that can be seen.
      return signInOnce(who, called, roles, from);
    }
  }

  private User signInOnce(Identity who, String called, Set<Role> roles, String from) {
    return sql.run(
        "sign in a user of the provider",
        connection -> {
          Optional<String> known = nameOf(connection, who);
          String name = known.isPresent() ? known.get() : add(connection, who, called, roles, from);
          User user = new User(name, rolesOf(connection, name));
          if (user.roles().isEmpty()) {
            throw new SecurityRefusal(
                Code.INVALID, name + " has no role here any more; ask the operator for one");
          }
          log.record(
              connection,
              SecurityEvent.done(
                  Deed.SIGN_IN, new Actor(name, from), name, "issuer=" + who.issuer()));
          return user;
        });
  }

  /**
   * Writes into the log that somebody was refused.
   *
   * @param why never what came from a stranger
   */
  public void refused(String from, String why) {
    log.record(SecurityEvent.refused(Deed.SIGN_IN, Actor.unknown(from), "-", "openid: " + why));
  }

  private String add(
      Connection connection, Identity who, String called, Set<Role> roles, String from)
      throws SQLException {
    if (!Names.isName(called)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "the provider calls you by nothing that can be a name here: expected a letter or digit,"
              + " then up to 63 letters, digits, dots, hyphens, underscores or @; ask the operator"
              + " to take names from another claim");
    }
    User user = new User(called, roles);
    boolean belongsToSomebody = taken.contain(connection, called);
    // That may have waited for the same person, who came at the same moment.
    Optional<String> meanwhile = nameOf(connection, who);
    if (meanwhile.isPresent()) {
      return meanwhile.get();
    }
    if (belongsToSomebody || isUser(connection, called)) {
      throw new SecurityRefusal(
          Code.USER_EXISTS,
          "the name "
              + called
              + " belongs to somebody else here; ask the operator, or take another name at the"
              + " provider");
    }
    Sql.update(
        connection,
        "insert into identity_user (name, password_hash, created_millis) values (?, ?, ?)",
        called,
        Users.NO_PASSWORD,
        clock.millis());
    Sql.update(
        connection,
        "insert into identity_provider_user (issuer, subject, user_name) values (?, ?, ?)",
        who.issuer(),
        who.subject(),
        called);
    Users.insertRoles(connection, user);
    log.record(
        connection,
        SecurityEvent.done(
            Deed.USER_ADDED,
            new Actor(Actor.NODE.name(), from),
            called,
            Users.rolesOf(user) + " issuer=" + who.issuer() + " subject=" + who.subject()));
    return called;
  }

  /** Names are told apart by case, but people do not: nobody comes as Olga beside olga. */
  private static boolean isUser(Connection connection, String name) throws SQLException {
    return !names(connection, "select name from identity_user where lower(name) = lower(?)", name)
        .isEmpty();
  }

  private static Optional<String> nameOf(Connection connection, Identity who) throws SQLException {
    return names(
            connection,
            "select user_name from identity_provider_user where issuer = ? and subject = ?",
            who.issuer(),
            who.subject())
        .stream()
        .findFirst();
  }

  private static Set<Role> rolesOf(Connection connection, String name) throws SQLException {
    return Set.copyOf(
        Sql.rows(
            connection,
            row -> Role.valueOf(row.getString(1)),
            "select role_name from identity_user_role where user_name = ?",
            name));
  }

  private static List<String> names(Connection connection, String query, Object... values)
      throws SQLException {
    return Sql.rows(connection, row -> row.getString(1), query, values);
  }
}

package io.gleaner.identity;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * The users of a node, in the tables {@code identity_user*}. What is done to them is in the
 * security log, in the same transaction. Safe for all threads.
 */
public final class Users {
  /** The shortest password that a person may choose. */
  public static final int SHORTEST_PASSWORD = 12;

  /** The hash of those who sign in elsewhere ({@link ProviderUsers}). */
  static final String NO_PASSWORD = "";

  private static final int LONGEST_PASSWORD = 256;
  private static final String UNIQUE_VIOLATION = "23505";
  // Signing in as nobody costs as much as signing in as somebody.
  private static final String HASH_OF_NOBODY = Passwords.hash(Secret.random());

  private final Sql sql;
  private final InstantSource clock;
  private final SignInThrottle throttle;
  private final AddressThrottle addresses;
  private final SecurityLog log;

  public Users(DataSource database, InstantSource clock) {
    this(database, clock, System::nanoTime);
  }

  /**
   * Users whose guessers wait by that clock.
   *
   * @param nanos a clock that never goes back
   */
  public Users(DataSource database, InstantSource clock, LongSupplier nanos) {
    this.sql = new Sql(database);
    this.clock = clock;
    this.throttle = new SignInThrottle(nanos);
    this.addresses = new AddressThrottle(nanos);
    this.log = new SecurityLog(database, clock);
  }

  public User create(String name, Role role, Secret password) {
    return create(name, Set.of(role), password);
  }

  /** As below, by the node itself. */
  public User create(String name, Set<Role> roles, Secret password) {
    return create(Actor.NODE, name, roles, password);
  }

  /**
   * Adds a user.
   *
   * @throws SecurityRefusal if the name is taken or no name, or the password is too short
   */
  public User create(Actor by, String name, Set<Role> roles, Secret password) {
    User user = new User(name, roles);
    requirePassword(password);
    String hash = Passwords.hash(password);
    try {
      return sql.run(
          "create a user",
          connection -> {
            Sql.update(
                connection,
                "insert into identity_user (name, password_hash, created_millis) values (?, ?, ?)",
                name,
                hash,
                clock.millis());
            insertRoles(connection, user);
            log.record(connection, SecurityEvent.done(Deed.USER_ADDED, by, name, rolesOf(user)));
            return user;
          });
    } catch (SecurityRefusal e) {
      if (isTaken(e)) {
        throw new SecurityRefusal(
            Code.USER_EXISTS, "there is already a user " + name + "; choose another name", e);
      }
      throw e;
    }
  }

  /**
   * Adds the first user, with every role and a generated password, if there is no user yet.
   *
   * @return the password, which cannot be seen again; empty if there are users
   */
  public Optional<Secret> createFirst(String name) {
    if (!list().isEmpty()) {
      return Optional.empty();
    }
    Secret password = Secret.random();
    create(name, EnumSet.allOf(Role.class), password);
    return Optional.of(password);
  }

  /** As below, from this machine. */
  public Optional<User> signIn(String name, Secret password) {
    return signIn(name, password, "node");
  }

  /**
   * Signs a user in by password; the log has it, and each try that was wrong.
   *
   * @param from the address that asks
   * @return the user, or empty if name or password is wrong
   * @throws SecurityRefusal if the name or the address failed too often and must wait
   */
  public Optional<User> signIn(String name, Secret password, String from) {
    boolean right = isPassword(name, password, from);
    if (right) {
      log.record(SecurityEvent.done(Deed.SIGN_IN, new Actor(name, from), name, ""));
    }
    return right ? find(name) : Optional.empty();
  }

  /**
   * Whether it is the user's password; the log has it if it is not.
   *
   * @throws SecurityRefusal if the name or the address failed too often and must wait
   */
  public boolean isPassword(String name, Secret password, String from) {
    if (!Names.isName(name) || password.reveal().length() > LONGEST_PASSWORD) {
      return false;
    }
    addresses.begin(from);
    throttle.begin(name);
    Optional<String> hash = passwordHash(name);
    boolean right = Passwords.matches(password, hash.orElse(HASH_OF_NOBODY)) && hash.isPresent();
    if (right) {
      throttle.succeeded(name);
      addresses.succeeded(from);
    } else {
      // What was typed as a name may be a password.
      log.record(
          SecurityEvent.refused(
              Deed.SIGN_IN,
              Actor.unknown(from),
              hash.isPresent() ? name : "-",
              hash.isPresent() ? "wrong password" : "no such user"));
    }
    return right;
  }

  /** As below, by the node itself. */
  public void changePassword(String name, Secret password) {
    changePassword(Actor.NODE, name, password);
  }

  /** Gives the user another password; sessions that began before end. */
  public void changePassword(Actor by, String name, Secret password) {
    requirePassword(password);
    String hash = Passwords.hash(password);
    sql.run(
        "change a password",
        connection -> {
          requireKnown(
              Sql.update(
                  connection,
                  "update identity_user set password_hash = ?, version = version + 1"
                      + " where name = ?",
                  hash,
                  name));
          log.record(connection, SecurityEvent.done(Deed.PASSWORD_CHANGED, by, name, ""));
          return name;
        });
  }

  /**
   * Gives the user other roles; sessions that began before end.
   *
   * @throws SecurityRefusal if there is no such user, or no operator would be left
   */
  public void changeRoles(Actor by, String name, Set<Role> roles) {
    User user = new User(name, roles);
    sql.run(
        "change the roles of a user",
        connection -> {
          // All users first, so that two operators cannot end each other at once.
          Sql.rows(
              connection,
              row -> row.getString(1),
              "select name from identity_user order by name for update");
          requireKnown(
              Sql.update(
                  connection,
                  "update identity_user set version = version + 1 where name = ?",
                  name));
          Sql.update(connection, "delete from identity_user_role where user_name = ?", name);
          insertRoles(connection, user);
          if (Sql.rows(
                  connection,
                  row -> row.getString(1),
                  "select user_name from identity_user_role where role_name = ?",
                  Role.OPERATOR.name())
              .isEmpty()) {
            throw new SecurityRefusal(
                Code.INVALID, "no operator would be left; make somebody else an operator first");
          }
          log.record(connection, SecurityEvent.done(Deed.ROLES_CHANGED, by, name, rolesOf(user)));
          return user;
        });
  }

  /** Those who sign in by an OpenID provider. */
  public ProviderUsers ofProvider(ProviderUsers.TakenNames taken) {
    return new ProviderUsers(sql, clock, log, addresses, taken);
  }

  /** How often password or roles were changed; empty if there is no such user. */
  public Optional<Long> version(String name) {
    return sql
        .run(
            "read a user",
            connection ->
                Sql.rows(
                    connection,
                    row -> row.getLong(1),
                    "select version from identity_user where name = ?",
                    name))
        .stream()
        .findFirst();
  }

  public Optional<User> find(String name) {
    return select("where u.name = ?", name).stream().findFirst();
  }

  /**
   * The user, whose roles stay what they are until the caller's transaction ends; empty if there is
   * none.
   */
  public static Optional<User> locked(Connection connection, String name) throws SQLException {
    List<String> there =
        Sql.rows(
            connection,
            row -> row.getString(1),
            "select name from identity_user where name = ? for update",
            name);
    Set<Role> roles = EnumSet.noneOf(Role.class);
    Sql.rows(
        connection,
        row -> roles.add(Role.valueOf(row.getString(1))),
        "select role_name from identity_user_role where user_name = ?",
        name);
    return there.stream().findFirst().map(user -> new User(user, roles));
  }

  /** All users, by name. */
  public List<User> list() {
    return select("");
  }

  private List<User> select(String condition, Object... values) {
    TreeMap<String, Set<Role>> rolesByName = new TreeMap<>();
    sql.run(
        "read the users",
        connection ->
            Sql.rows(
                connection,
                row -> {
                  Set<Role> roles =
                      rolesByName.computeIfAbsent(
                          row.getString(1), n -> EnumSet.noneOf(Role.class));
                  String role = row.getString(2);
                  return role != null && roles.add(Role.valueOf(role));
                },
                "select u.name, r.role_name from identity_user u"
                    + " left join identity_user_role r on r.user_name = u.name "
                    + condition,
                values));
    List<User> users = new ArrayList<>();
    rolesByName.forEach((user, roles) -> users.add(new User(user, roles)));
    return List.copyOf(users);
  }

  private Optional<String> passwordHash(String name) {
    return sql
        .run(
            "read a password hash",
            connection ->
                Sql.rows(
                    connection,
                    row -> row.getString(1),
                    "select password_hash from identity_user where name = ?",
                    name))
        .stream()
        .filter(hash -> !hash.equals(NO_PASSWORD))
        .findFirst();
  }

  /** Whether the database refused a name because it is in use. */
  static boolean isTaken(SecurityRefusal refusal) {
    return refusal.getCause() instanceof SQLException e && UNIQUE_VIOLATION.equals(e.getSQLState());
  }

  static void insertRoles(Connection connection, User user) throws SQLException {
    for (Role role : user.roles()) {
      Sql.update(
          connection,
          "insert into identity_user_role (user_name, role_name) values (?, ?)",
          user.name(),
          role.name());
    }
  }

  static String rolesOf(User user) {
    return "roles=" + new TreeSet<>(user.roles());
  }

  private static void requireKnown(int changed) {
    if (changed == 0) {
      throw new SecurityRefusal(Code.UNKNOWN_USER, "there is no such user");
    }
  }

  private static void requirePassword(Secret password) {
    int length = password.reveal().length();
    if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
      throw new SecurityRefusal(
          Code.INVALID,
          "a password has "
              + SHORTEST_PASSWORD
              + " to "
              + LONGEST_PASSWORD
              + " characters, this one has "
              + length);
    }
  }
}

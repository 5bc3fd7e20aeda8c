package io.gleaner.identity;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;

/** The users of a node, in the tables {@code identity_user*}. Safe for all threads. */
public final class Users {
  /** The shortest password that a person may choose. */
  public static final int SHORTEST_PASSWORD = 12;

  private static final int LONGEST_PASSWORD = 256;
  private static final String UNIQUE_VIOLATION = "23505";
  // Signing in as nobody costs as much as signing in as somebody.
  private static final String HASH_OF_NOBODY = Passwords.hash(Secret.random());

  private final DataSource database;
  private final InstantSource clock;
  private final SignInThrottle throttle;

  public Users(DataSource database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.throttle = new SignInThrottle(clock);
  }

  public User create(String name, Role role, Secret password) {
    return create(name, Set.of(role), password);
  }

  /**
   * Adds a user.
   *
   * @throws SecurityRefusal if the name is taken or no name, or the password is too short
   */
  public User create(String name, Set<Role> roles, Secret password) {
    User user = new User(name, roles);
    requirePassword(password);
    String hash = Passwords.hash(password);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        insert(connection, user, hash);
        connection.commit();
        return user;
      } catch (SQLException e) {
        connection.rollback();
        if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
          throw new SecurityRefusal(
              Code.USER_EXISTS, "there is already a user " + name + "; choose another name", e);
        }
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw storage("create a user", e);
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

  /**
   * Signs a user in by password.
   *
   * @return the user, or empty if name or password is wrong
   * @throws SecurityRefusal if the name failed too often and must wait
   */
  public Optional<User> signIn(String name, Secret password) {
    if (!Names.isName(name) || password.reveal().length() > LONGEST_PASSWORD) {
      return Optional.empty();
    }
    throttle.begin(name);
    Optional<String> hash = passwordHash(name);
    boolean right = Passwords.matches(password, hash.orElse(HASH_OF_NOBODY)) && hash.isPresent();
    if (!right) {
      return Optional.empty();
    }
    throttle.succeeded(name);
    return find(name);
  }

  /** Gives the user another password. */
  public void changePassword(String name, Secret password) {
    requirePassword(password);
    String hash = Passwords.hash(password);
    try (Connection connection = database.getConnection();
        PreparedStatement update =
            connection.prepareStatement(
                "update identity_user set password_hash = ? where name = ?")) {
      update.setString(1, hash);
      update.setString(2, name);
      if (update.executeUpdate() == 0) {
        throw new SecurityRefusal(Code.UNKNOWN_USER, "there is no such user");
      }
    } catch (SQLException e) {
      throw storage("change a password", e);
    }
  }

  public Optional<User> find(String name) {
    return select("where u.name = ?", name).stream().findFirst();
  }

  /** All users, by name. */
  public List<User> list() {
    return select("", null);
  }

  private List<User> select(String condition, String name) {
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "select u.name, r.role_name from identity_user u"
                    + " left join identity_user_role r on r.user_name = u.name "
                    + condition)) {
      if (name != null) {
        select.setString(1, name);
      }
      TreeMap<String, Set<Role>> rolesByName = new TreeMap<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          Set<Role> roles =
              rolesByName.computeIfAbsent(rows.getString(1), n -> EnumSet.noneOf(Role.class));
          String role = rows.getString(2);
          if (role != null) {
            roles.add(Role.valueOf(role));
          }
        }
      }
      List<User> users = new ArrayList<>();
      rolesByName.forEach((user, roles) -> users.add(new User(user, roles)));
      return List.copyOf(users);
    } catch (SQLException e) {
      throw storage("read the users", e);
    }
  }

  private Optional<String> passwordHash(String name) {
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement("select password_hash from identity_user where name = ?")) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw storage("read a password hash", e);
    }
  }

  private void insert(Connection connection, User user, String hash) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into identity_user (name, password_hash, created_millis) values (?, ?, ?)")) {
      insert.setString(1, user.name());
      insert.setString(2, hash);
      insert.setLong(3, clock.millis());
      insert.executeUpdate();
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into identity_user_role (user_name, role_name) values (?, ?)")) {
      for (Role role : user.roles()) {
        insert.setString(1, user.name());
        insert.setString(2, role.name());
        insert.addBatch();
      }
      insert.executeBatch();
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

  private static SecurityRefusal storage(String what, SQLException cause) {
    return new SecurityRefusal(
        Code.STORAGE, "the database could not " + what + ": " + cause.getMessage(), cause);
  }
}

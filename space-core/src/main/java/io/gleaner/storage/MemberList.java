package io.gleaner.storage;

import io.gleaner.storage.StorageException.Code;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Statements about the members of a space, {@code V2__members}; each runs in the caller's
 * transaction, which holds the list from the first one on.
 */
final class MemberList {
  private final boolean shared;

  /**
   * @param shared whether members other than this one write to the same database
   */
  MemberList(boolean shared) {
    this.shared = shared;
  }

  /** The member begins the space anew, alone. */
  void found(Connection connection, String member) throws SQLException {
    hold(connection);
    try (Statement delete = connection.createStatement()) {
      delete.execute("DELETE FROM space_member");
    }
    insert(connection, member);
  }

  /**
   * Adds a member to those of whom it has seen one.
   *
   * @throws StorageException if that one is none: it is of another space
   */
  void join(Connection connection, String member, String beside, String place) throws SQLException {
    hold(connection);
    Set<String> listed = listed(connection);
    if (!listed.contains(beside)) {
      throw new StorageException(
          Code.FORMAT,
          "the database "
              + place
              + " does not know the member that this one met: that one uses another database, or"
              + " the others go on without it. Give all members the same one, and end members that"
              + " the others have lost");
    }
    if (!listed.contains(member)) {
      insert(connection, member);
    }
  }

  /**
   * Strikes members off.
   *
   * @throws Expelled if the one who does so is not listed any more
   */
  void strike(Connection connection, String member, Collection<String> lost) throws SQLException {
    hold(connection);
    if (!listed(connection).contains(member)) {
      throw new Expelled(member);
    }
    leave(connection, lost);
  }

  /** Takes members from the list. */
  void leave(Connection connection, Collection<String> members) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM space_member WHERE member = ANY(?)")) {
      delete.setArray(1, connection.createArrayOf("VARCHAR", members.toArray()));
      delete.executeUpdate();
    }
  }

  private void hold(Connection connection) throws SQLException {
    if (shared) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT pg_advisory_xact_lock(" + JournalTables.LOCKS + ")");
      }
    }
  }

  Set<String> listed(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT member FROM space_member")) {
      Set<String> members = new HashSet<>();
      while (rows.next()) {
        members.add(rows.getString(1));
      }
      return members;
    }
  }

  private static void insert(Connection connection, String member) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO space_member VALUES (?)")) {
      insert.setString(1, member);
      insert.executeUpdate();
    }
  }
}

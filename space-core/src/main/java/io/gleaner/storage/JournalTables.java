package io.gleaner.storage;

import io.gleaner.storage.StorageException.Code;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The statements of the journal; each runs in the caller's transaction. What {@code V1__journal}
 * calls them.
 */
final class JournalTables {
  /** Of the rows and of what they hold; another one cannot be read. */
  private static final int VERSION = 5;

  /** Names the journal among the advisory locks of a PostgreSQL server. */
  static final int LOCKS = 7401;

  private static final String OWNERS =
      "SELECT cell, epoch FROM partition_owner WHERE cell = ANY(?)";

  private final boolean shared;

  /** What is known of a cell besides its records. */
  record Owner(
      long imageNumber, int imageParts, long imageBytes, long imageMillis, long keepFrom) {}

  /** A row of the journal; without records if they were not asked for. */
  record Row(long batch, byte[] directory, byte[] records) {}

  /**
   * @param shared whether members other than this one write to the same database
   */
  JournalTables(boolean shared) {
    this.shared = shared;
  }

  /** Stamps an empty database, refuses another kind of journal. */
  void claim(Connection connection, int cells, String place) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (shared) {
        statement.execute("SELECT pg_advisory_xact_lock(" + LOCKS + ")");
      }
      try (ResultSet rows = statement.executeQuery("SELECT version, cells FROM journal_format")) {
        if (rows.next()) {
          refuseOther(rows.getInt(1), rows.getInt(2), cells, place);
          return;
        }
      }
      statement.execute("INSERT INTO journal_format VALUES (" + VERSION + ", " + cells + ")");
    }
  }

  /** Refuses another kind of journal before anything in it is changed; none is fine. */
  static void refuseOther(Connection connection, String place) throws SQLException {
    try (ResultSet tables =
        connection.getMetaData().getTables(null, connection.getSchema(), "journal_format", null)) {
      if (!tables.next()) {
        return;
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT version, cells FROM journal_format")) {
      if (rows.next()) {
        refuseOther(rows.getInt(1), rows.getInt(2), rows.getInt(2), place);
      }
    }
  }

  private static void refuseOther(int version, int stored, int cells, String place) {
    if (version != VERSION || stored != cells) {
      throw new StorageException(
          Code.FORMAT,
          "the database "
              + place
              + " holds a space of format "
              + version
              + " with "
              + stored
              + " cells; expected format "
              + VERSION
              + " with "
              + cells
              + " cells. Start the version and settings that wrote it, or name an empty database");
    }
  }

  /** The epochs of the cells, which stay so until the transaction ends. */
  Map<Integer, Long> epochs(Connection connection, Integer[] cells) throws SQLException {
    // One statement a snapshot: the epochs are read after the locks are held.
    String sql =
        shared
            ? "SELECT pg_advisory_xact_lock_shared(" + LOCKS + ", c) FROM unnest(?) AS c; " + OWNERS
            : OWNERS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      var array = connection.createArrayOf("INTEGER", cells);
      statement.setArray(1, array);
      if (shared) {
        statement.setArray(2, array);
      }
      statement.execute();
      if (shared) {
        statement.getMoreResults();
      }
      Map<Integer, Long> epochs = new HashMap<>();
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) {
          epochs.put(rows.getInt(1), rows.getLong(2));
        }
      }
      return epochs;
    }
  }

  /** Raises the epochs of the cells, once nobody is in the middle of a batch of theirs. */
  Map<Integer, Long> raise(Connection connection, Integer[] cells) throws SQLException {
    if (shared) {
      try (PreparedStatement lock =
          connection.prepareStatement(
              "SELECT pg_advisory_xact_lock(" + LOCKS + ", c) FROM unnest(?) AS c")) {
        lock.setArray(1, connection.createArrayOf("INTEGER", cells));
        lock.execute();
      }
    }
    Map<Integer, Long> raised = new HashMap<>();
    Map<Integer, Long> before = epochs(connection, cells);
    try (PreparedStatement update =
            connection.prepareStatement("UPDATE partition_owner SET epoch = ? WHERE cell = ?");
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO partition_owner (epoch, cell, image_number, image_parts, image_bytes,"
                    + " keep_from) VALUES (?, ?, 0, 0, 0, 0)")) {
      for (int cell : cells) {
        long epoch = before.getOrDefault(cell, 0L) + 1;
        PreparedStatement statement = epoch == 1 ? insert : update;
        statement.setLong(1, epoch);
        statement.setInt(2, cell);
        statement.addBatch();
        raised.put(cell, epoch);
      }
      update.executeBatch();
      insert.executeBatch();
    }
    return raised;
  }

  Map<Integer, Owner> owners(Connection connection, Integer[] cells) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT cell, image_number, image_parts, image_bytes, image_millis, keep_from FROM"
                + " partition_owner WHERE cell = ANY(?)")) {
      statement.setArray(1, connection.createArrayOf("INTEGER", cells));
      Map<Integer, Owner> owners = new HashMap<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          owners.put(
              rows.getInt(1),
              new Owner(
                  rows.getLong(2),
                  rows.getInt(3),
                  rows.getLong(4),
                  rows.getLong(5),
                  rows.getLong(6)));
        }
      }
      return owners;
    }
  }

  /** Adds a batch and answers its number, which is above those of all batches before. */
  long insert(Connection connection, byte[] directory, byte[] records) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO journal_batch (directory, records) VALUES (?, ?)",
            new String[] {"batch"})) {
      insert.setBytes(1, directory);
      insert.setBytes(2, records);
      insert.executeUpdate();
      try (ResultSet keys = insert.getGeneratedKeys()) {
        keys.next();
        return keys.getLong(1);
      }
    }
  }

  List<Row> rowsFrom(Connection connection, long batch, int limit, boolean withRecords)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT batch, directory"
                + (withRecords ? ", records" : "")
                + " FROM journal_batch WHERE batch >= ? ORDER BY batch FETCH FIRST "
                + limit
                + " ROWS ONLY")) {
      select.setLong(1, batch);
      List<Row> found = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.add(
              new Row(
                  rows.getLong(1), rows.getBytes(2), withRecords ? rows.getBytes(3) : new byte[0]));
        }
      }
      return found;
    }
  }

  byte[] records(Connection connection, long batch) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT records FROM journal_batch WHERE batch = ?")) {
      select.setLong(1, batch);
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          throw new StorageException(
              Code.DAMAGED,
              "batch " + batch + " of the journal is missing from the database; restore a backup");
        }
        return rows.getBytes(1);
      }
    }
  }

  /** The last batch there is, and how many bytes there are after a batch. */
  record Length(long newest, long bytes) {}

  Length lengthAfter(Connection connection, long batch) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT COALESCE(MAX(batch), 0), COALESCE(SUM(octet_length(directory) +"
                + " octet_length(records)), 0) FROM journal_batch WHERE batch > ?")) {
      select.setLong(1, batch);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return new Length(rows.getLong(1), rows.getLong(2));
      }
    }
  }

  /** Says that this owner of the cells needs no batch before that one. */
  void keepFrom(Connection connection, Collection<Integer> cells, long batch) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE partition_owner SET keep_from = ? WHERE cell = ANY(?) AND keep_from < ?")) {
      update.setLong(1, batch);
      update.setArray(2, connection.createArrayOf("INTEGER", cells.toArray()));
      update.setLong(3, batch);
      update.executeUpdate();
    }
  }

  /** Deletes some of the batches that no owner needs and answers how many. */
  int deleteUnneeded(Connection connection, int limit) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM journal_batch WHERE batch IN (SELECT batch FROM journal_batch WHERE batch <"
                + " (SELECT MIN(keep_from) FROM partition_owner) ORDER BY batch FETCH FIRST "
                + limit
                + " ROWS ONLY)")) {
      return delete.executeUpdate();
    }
  }

  void insertPart(Connection connection, int cell, long number, int part, byte[] bytes)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO cell_image (cell, number, part, bytes) VALUES (?, ?, ?, ?)")) {
      insert.setInt(1, cell);
      insert.setLong(2, number);
      insert.setInt(3, part);
      insert.setBytes(4, bytes);
      insert.executeUpdate();
    }
  }

  byte[] part(Connection connection, int cell, long number, int part) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT bytes FROM cell_image WHERE cell = ? AND number = ? AND part = ?")) {
      select.setInt(1, cell);
      select.setLong(2, number);
      select.setInt(3, part);
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          throw new StorageException(
              Code.DAMAGED,
              "part "
                  + part
                  + " of the image of cell "
                  + cell
                  + " is missing from the database; restore a backup");
        }
        return rows.getBytes(1);
      }
    }
  }

  void deletePartsOf(Connection connection, int cell, long number) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM cell_image WHERE cell = ? AND number = ?")) {
      delete.setInt(1, cell);
      delete.setLong(2, number);
      delete.executeUpdate();
    }
  }

  /**
   * Makes the image of that number the one that counts and deletes all others of the cell.
   *
   * @param millis the time of day at which its last input came
   */
  void replaceImage(
      Connection connection, int cell, long number, long millis, int parts, long bytes)
      throws SQLException {
    try (PreparedStatement update =
            connection.prepareStatement(
                "UPDATE partition_owner SET image_number = ?, image_parts = ?, image_bytes = ?,"
                    + " image_millis = ? WHERE cell = ?");
        PreparedStatement delete =
            connection.prepareStatement("DELETE FROM cell_image WHERE cell = ? AND number <> ?")) {
      update.setLong(1, number);
      update.setInt(2, parts);
      update.setLong(3, bytes);
      update.setLong(4, millis);
      update.setInt(5, cell);
      update.executeUpdate();
      delete.setInt(1, cell);
      delete.setLong(2, number);
      delete.executeUpdate();
    }
  }
}

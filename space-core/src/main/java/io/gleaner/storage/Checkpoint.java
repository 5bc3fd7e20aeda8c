package io.gleaner.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * An image of a cell on its way into the journal, part by part; nothing of it counts before {@link
 * #complete}. For one thread at a time; each call returns when its part is on disk.
 */
public final class Checkpoint {
  private final Transactions transactions;
  private final JournalTables tables;
  private final LogExtent extent;
  private final Of of;
  private int parts;
  private long bytes;
  private byte[] last;

  /** What it is an image of; {@code mark} is the newest batch when it began. */
  record Of(int cell, long epoch, long number, long mark) {}

  Checkpoint(Transactions transactions, JournalTables tables, LogExtent extent, Of of) {
    this.transactions = transactions;
    this.tables = tables;
    this.extent = extent;
    this.of = of;
  }

  /** The next part, of at most some MB; it is not copied. */
  public void part(byte[] next) {
    if (last != null) {
      byte[] before = last;
      run(
          connection -> {
            begin(connection);
            tables.insertPart(connection, of.cell(), of.number(), parts, before);
            return null;
          });
      parts++;
    }
    last = next;
    bytes += next.length;
  }

  /**
   * The image is whole: it replaces the one before, and records up to its number are not needed any
   * more.
   *
   * @throws Deposed if the cell belongs to another member now
   */
  public void complete() {
    boolean replaced =
        run(
            connection -> {
              begin(connection);
              Long epoch = tables.epochs(connection, new Integer[] {of.cell()}).get(of.cell());
              if (epoch == null || epoch != of.epoch()) {
                return false;
              }
              if (last != null) {
                tables.insertPart(connection, of.cell(), of.number(), parts, last);
              }
              tables.replaceImage(
                  connection, of.cell(), of.number(), last == null ? 0 : parts + 1, bytes);
              return true;
            });
    if (!replaced) {
      extent.imageFailed(of.cell());
      throw new Deposed(of.cell(), of.epoch());
    }
    extent.imaged(of.cell(), of.mark(), bytes);
  }

  /** Parts of an attempt that was not completed may lie there. */
  private void begin(Connection connection) throws SQLException {
    if (parts == 0) {
      Map<Integer, JournalTables.Owner> owners =
          tables.owners(connection, new Integer[] {of.cell()});
      if (owners.get(of.cell()).imageNumber() == of.number()) {
        throw new IllegalStateException(
            "cell " + of.cell() + " has an image of input " + of.number() + " already");
      }
      tables.deletePartsOf(connection, of.cell(), of.number());
    }
  }

  private <T> T run(Transactions.Work<T> work) {
    try {
      return transactions.run(work);
    } catch (SQLException e) {
      extent.imageFailed(of.cell());
      throw GroupCommit.unusable(e);
    }
  }
}

package io.gleaner.storage;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * An image of a cell on its way into the journal, part by part; nothing of it counts before {@link
 * #complete}. It has at least one part. For one thread at a time; each call returns when its part
 * is on disk.
 */
public final class Checkpoint {
  private final Transactions transactions;
  private final JournalTables tables;
  private final LogExtent extent;
  private final Of of;
  private int parts;
  private long bytes;
  private byte[] last;

  /**
   * What it is an image of.
   *
   * @param millis the time of day at which its last input came
   * @param mark what was in the journal when it began
   */
  record Of(int cell, long epoch, long number, long millis, LogExtent.Mark mark) {}

  Checkpoint(Transactions transactions, JournalTables tables, LogExtent extent, Of of) {
    this.transactions = transactions;
    this.tables = tables;
    this.extent = extent;
    this.of = of;
  }

  /**
   * The next part, of at most some MB; it is not copied.
   *
   * @throws Deposed if the cell belongs to another member now
   */
  public void part(byte[] next) {
    if (last != null) {
      byte[] before = last;
      runAsOwner(
          connection -> {
            if (!isThere(connection)) {
              insert(connection, before);
            }
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
    runAsOwner(
        connection -> {
          if (!isThere(connection)) {
            insert(connection, last);
            tables.replaceImage(connection, of.cell(), of.number(), of.millis(), parts + 1, bytes);
          }
        });
    extent.imaged(of.cell(), of.mark(), bytes);
  }

  /** Whether there is an image of then, or of a later time. */
  private boolean isThere(Connection connection) throws SQLException {
    JournalTables.Owner owner = tables.owners(connection, new Integer[] {of.cell()}).get(of.cell());
    return owner.imageParts() > 0 && owner.imageNumber() >= of.number();
  }

  private void insert(Connection connection, byte[] part) throws SQLException {
    if (parts == 0) {
      // Of an attempt that was not completed.
      tables.deletePartsOf(connection, of.cell(), of.number());
    }
    tables.insertPart(connection, of.cell(), of.number(), parts, part);
  }

  private interface Step {
    void run(Connection connection) throws SQLException;
  }

  private void runAsOwner(Step step) {
    try {
      boolean owner =
          transactions.run(
              connection -> {
                Long epoch = tables.epochs(connection, new Integer[] {of.cell()}).get(of.cell());
                boolean owns = epoch != null && epoch == of.epoch();
                if (owns) {
                  step.run(connection);
                }
                return owns;
              });
      if (!owner) {
        extent.imageFailed(of.cell());
        throw new Deposed(of.cell(), of.epoch());
      }
    } catch (SQLException e) {
      extent.imageFailed(of.cell());
      throw GroupCommit.unusable(e);
    }
  }
}

package io.gleaner.storage;

import io.gleaner.storage.StorageException.Code;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/**
 * The journal of a space: for each cell the records of its inputs, numbered without gaps, since its
 * last image. One order for all cells of this member: what is lost in a crash is an end of it, so
 * nothing that is kept follows from something that is not. Safe for all threads.
 *
 * <p>What comes while a commit is under way is committed together next, as one row. Whoever owns a
 * cell has its epoch; each commit checks the epochs of its cells in its own transaction, and who
 * was taken over is {@link Deposed}. While the database fails, appends wait and the commit is tried
 * again: nothing is acknowledged that is not durable, and {@link #trouble} says what is wrong.
 *
 * <p>On an H2 file one journal is open at a time. A PostgreSQL server may have one for each member.
 */
public final class Journal implements AutoCloseable {
  private static final int ROWS_WITH_RECORDS = 16;
  private static final int ROWS_WITHOUT = 512;

  private final Transactions transactions;
  private final JournalTables tables;
  private final LogExtent extent;
  private final GroupCommit commits;
  private final String place;

  private Journal(Database database, JournalSettings settings, IntConsumer imageWanted) {
    this.transactions = new Transactions(database.dataSource());
    this.tables = new JournalTables(database.shared());
    this.extent = new LogExtent(settings.cells(), settings.logBytes());
    this.commits =
        new GroupCommit(transactions, tables, extent, settings, imageWanted, database::reopen);
    this.place = database.toString();
  }

  /**
   * Opens the journal; the database stays its caller's to close, later.
   *
   * @param imageWanted hears of cells that should be given a {@link #checkpoint} soon; must not
   *     block
   * @throws StorageException if it was written by another version or with other cells
   */
  public static Journal open(Database database, JournalSettings settings, IntConsumer imageWanted) {
    Journal journal = new Journal(database, settings, imageWanted);
    journal.transaction(
        connection -> {
          journal.tables.claim(connection, settings.cells(), journal.place);
          return null;
        });
    journal.commits.start();
    return journal;
  }

  /**
   * Takes cells over from whoever had them: their epochs are raised. {@link #recover} comes next.
   *
   * @return the epoch of each
   */
  public Map<Integer, Long> takeOver(Collection<Integer> cells) {
    Integer[] sorted = sorted(cells);
    return transaction(connection -> tables.raise(connection, sorted));
  }

  /**
   * Tells what there is of cells that this member has taken over, one cell's records mixed with
   * another's. Memory is bounded by a part, and by a few batches.
   *
   * @param epochs as {@link #takeOver} gave them
   * @return the number of the last input of each; 0 if there is none
   */
  public Map<Integer, Long> recover(Map<Integer, Long> epochs, Recovery recovery) {
    return load(epochs, recovery, true);
  }

  /** As {@link #recover}, for an owner that has the cells' state and only needs the numbers. */
  public Map<Integer, Long> lastNumbers(Map<Integer, Long> epochs) {
    return load(epochs, NO_RECOVERY, false);
  }

  private static final Recovery NO_RECOVERY =
      new Recovery() {
        @Override
        public void image(int cell, long number, byte[] part) {}

        @Override
        public void record(int cell, long number, byte[] record) {}
      };

  private Map<Integer, Long> load(
      Map<Integer, Long> epochs, Recovery recovery, boolean withRecords) {
    Map<Integer, JournalTables.Owner> owners =
        transaction(connection -> tables.owners(connection, sorted(epochs.keySet())));
    Map<Integer, Extent> found = new HashMap<>();
    owners.forEach(
        (cell, owner) -> {
          if (withRecords) {
            for (int part = 0; part < owner.imageParts(); part++) {
              int number = part;
              recovery.image(
                  cell,
                  owner.imageNumber(),
                  transaction(c -> tables.part(c, cell, owner.imageNumber(), number)));
            }
          }
          found.put(cell, new Extent(owner.imageNumber()));
        });
    long from = owners.values().stream().mapToLong(JournalTables.Owner::keepFrom).min().orElse(0);
    int limit = withRecords ? ROWS_WITH_RECORDS : ROWS_WITHOUT;
    List<JournalTables.Row> rows;
    do {
      long next = from;
      rows = transaction(connection -> tables.rowsFrom(connection, next, limit, withRecords));
      for (JournalTables.Row row : rows) {
        read(row, found, recovery, withRecords);
        from = row.batch() + 1;
      }
    } while (rows.size() == limit);
    Map<Integer, Long> last = new HashMap<>();
    found.forEach(
        (cell, each) -> {
          extent.owns(cell, each.firstBatch, each.lastBatch, owners.get(cell).imageBytes());
          commits.owns(cell, epochs.get(cell), each.number);
          last.put(cell, each.number);
        });
    return last;
  }

  /** What was read of a cell so far. */
  private static final class Extent {
    long number;
    long firstBatch;
    long lastBatch;

    Extent(long number) {
      this.number = number;
    }
  }

  private void read(
      JournalTables.Row row, Map<Integer, Extent> found, Recovery recovery, boolean withRecords) {
    for (Batch.Run run : Batch.runs(row.directory())) {
      Extent extentOfCell = found.get(run.cell());
      // A commit whose end was not heard is tried again, so a run may be there twice.
      if (extentOfCell == null || run.last() <= extentOfCell.number) {
        continue;
      }
      if (run.first() > extentOfCell.number + 1) {
        throw new StorageException(
            Code.DAMAGED,
            "the journal of cell "
                + run.cell()
                + " in "
                + place
                + " goes on with input "
                + run.first()
                + " after "
                + extentOfCell.number
                + "; inputs are missing, restore a backup");
      }
      if (withRecords) {
        long number = run.first();
        for (byte[] record : Batch.recordsOf(run, row.records())) {
          if (number > extentOfCell.number) {
            recovery.record(run.cell(), number, record);
          }
          number++;
        }
      }
      extentOfCell.number = run.last();
      extentOfCell.firstBatch =
          extentOfCell.firstBatch == 0 ? row.batch() : extentOfCell.firstBatch;
      extentOfCell.lastBatch = row.batch();
    }
    extent.appended(row.batch(), Set.of(), row.directory().length + row.records().length);
  }

  /**
   * Adds inputs of a cell. The order of calls, over all cells, is the order in the journal; the
   * records are not copied.
   *
   * @param first the number of the first record; the one after the last that was appended
   * @return complete when they are durable; fails with {@link Deposed}, or {@link StorageException}
   *     if the journal was closed before. Completed on the journal's thread: do not block it
   */
  public CompletableFuture<Void> append(int cell, long epoch, long first, List<byte[]> records) {
    return commits.append(
        new Append(
            cell,
            epoch,
            first,
            List.copyOf(records),
            Batch.bytesOf(records),
            new CompletableFuture<>()));
  }

  /** Keeps first images, of no input yet and of one part each, all at once. */
  public void found(Map<Integer, byte[]> images) {
    transaction(
        connection -> {
          for (Map.Entry<Integer, byte[]> each : images.entrySet()) {
            tables.insertPart(connection, each.getKey(), 0, 0, each.getValue());
            tables.replaceImage(connection, each.getKey(), 0, 1, each.getValue().length);
          }
          return null;
        });
  }

  /** Ends the ownership of a cell that goes to another member, or that was {@link Deposed}. */
  public void release(int cell) {
    commits.disowns(cell);
    extent.disowns(cell);
  }

  /**
   * Begins an image of a cell after its input {@code number}. Call it when that input was given to
   * {@link #append} and the next one was not.
   */
  public Checkpoint checkpoint(int cell, long epoch, long number) {
    return new Checkpoint(
        transactions, tables, extent, new Checkpoint.Of(cell, epoch, number, extent.newest()));
  }

  /** The image that was asked for did not come; it is asked for again. */
  public void noCheckpoint(int cell) {
    extent.imageFailed(cell);
  }

  /** Why nothing becomes durable at the moment; empty if all is well. */
  public Optional<StorageException> trouble() {
    return commits.trouble();
  }

  /** Bytes of records that are not durable yet. */
  public long waitingBytes() {
    return commits.waitingBytes();
  }

  /** Commits what was appended, if the database lets it, and ends. */
  @Override
  public void close() {
    commits.close();
  }

  private <T> T transaction(Transactions.Work<T> work) {
    try {
      return transactions.run(work);
    } catch (SQLException e) {
      throw GroupCommit.unusable(e);
    }
  }

  private static Integer[] sorted(Collection<Integer> cells) {
    List<Integer> sorted = new ArrayList<>(cells);
    sorted.sort(null);
    return sorted.toArray(new Integer[0]);
  }
}

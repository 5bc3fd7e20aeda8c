package io.gleaner.storage;

import io.gleaner.storage.StorageException.Code;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads what the journal has of some cells whose epochs were raised before, so that nobody adds to
 * it. For one thread at a time.
 */
final class JournalReader {
  private static final int ROWS_WITH_RECORDS = 16;
  private static final int ROWS_WITHOUT = 512;

  private final Transactions transactions;
  private final JournalTables tables;
  private final String place;

  JournalReader(Transactions transactions, JournalTables tables, String place) {
    this.transactions = transactions;
    this.tables = tables;
    this.place = place;
  }

  /** What the journal has of a cell. */
  static final class Extent {
    private final long imageNumber;
    final long imageBytes;

    /** The number of its last input: of what its reader has, and in the end of what is there. */
    long number;

    /** The time of day at which the last input that is there came. */
    long millis;

    private long stored;

    /** The batches with its records after its image; 0 if there are none. */
    long firstBatch;

    long lastBatch;

    /** Of these records. */
    long recordBytes;

    Extent(JournalTables.Owner owner, long number) {
      this.imageNumber = owner.imageNumber();
      this.imageBytes = owner.imageBytes();
      this.number = number;
      this.millis = owner.imageMillis();
      this.stored = owner.imageNumber();
    }
  }

  /** Hears of the rows that were read. */
  interface Rows {
    void read(long batch, long bytes);
  }

  /**
   * Tells what there is of cells, one cell's records mixed with another's.
   *
   * @param have the number of the last input that need not be told, if there is one
   */
  Map<Integer, Extent> read(
      Integer[] cells, Map<Integer, Long> have, Recovery recovery, Rows rowsRead) {
    Map<Integer, JournalTables.Owner> owners =
        transaction(connection -> tables.owners(connection, cells));
    Map<Integer, Extent> found = new TreeMap<>();
    boolean few = true;
    for (Map.Entry<Integer, JournalTables.Owner> each : new TreeMap<>(owners).entrySet()) {
      JournalTables.Owner owner = each.getValue();
      long known = have.getOrDefault(each.getKey(), -1L);
      if (known < owner.imageNumber()) {
        image(each.getKey(), owner, recovery);
        known = owner.imageNumber();
        few = false;
      }
      found.put(each.getKey(), new Extent(owner, known));
    }
    long from = owners.values().stream().mapToLong(JournalTables.Owner::keepFrom).min().orElse(0);
    // Who has most of it looks at directories first.
    boolean withRecords = !few;
    int limit = withRecords ? ROWS_WITH_RECORDS : ROWS_WITHOUT;
    List<JournalTables.Row> rows;
    do {
      long next = from;
      rows = transaction(connection -> tables.rowsFrom(connection, next, limit, withRecords));
      for (JournalTables.Row row : rows) {
        read(row, withRecords, found, recovery);
        if (withRecords) {
          rowsRead.read(row.batch(), row.directory().length + row.records().length);
        }
        from = row.batch() + 1;
      }
    } while (rows.size() == limit);
    // A reader may have more than there is, if somebody has put an older database there.
    found.values().forEach(extent -> extent.number = extent.stored);
    return found;
  }

  private void image(int cell, JournalTables.Owner owner, Recovery recovery) {
    for (int part = 0; part < owner.imageParts(); part++) {
      int number = part;
      recovery.image(
          cell,
          owner.imageNumber(),
          transaction(connection -> tables.part(connection, cell, owner.imageNumber(), number)));
    }
  }

  private void read(
      JournalTables.Row row, boolean withRecords, Map<Integer, Extent> found, Recovery recovery) {
    byte[] records = withRecords ? row.records() : null;
    for (Batch.Run run : Batch.runs(row.directory())) {
      Extent extent = found.get(run.cell());
      if (extent == null || run.last() <= extent.imageNumber) {
        continue;
      }
      if (run.last() > extent.stored) {
        extent.stored = run.last();
        extent.millis = run.millis();
      }
      extent.firstBatch = extent.firstBatch == 0 ? row.batch() : extent.firstBatch;
      extent.lastBatch = row.batch();
      extent.recordBytes += run.bytes();
      // A commit whose end was not heard is tried again, so a run may be there twice.
      if (run.last() <= extent.number) {
        continue;
      }
      if (run.first() > extent.number + 1) {
        throw new StorageException(
            Code.DAMAGED,
            "the journal of cell "
                + run.cell()
                + " in "
                + place
                + " goes on with input "
                + run.first()
                + " after "
                + extent.number
                + "; inputs are missing, restore a backup");
      }
      if (records == null) {
        records = transaction(connection -> tables.records(connection, row.batch()));
      }
      long number = run.first();
      for (byte[] record : Batch.recordsOf(run, records)) {
        if (number > extent.number) {
          recovery.record(run.cell(), number, record);
        }
        number++;
      }
      extent.number = run.last();
    }
  }

  private <T> T transaction(Transactions.Work<T> work) {
    try {
      return transactions.run(work);
    } catch (SQLException e) {
      throw GroupCommit.unusable(e);
    }
  }
}

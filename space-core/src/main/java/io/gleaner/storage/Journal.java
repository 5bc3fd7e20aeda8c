package io.gleaner.storage;

import io.gleaner.storage.StorageException.Code;
import java.sql.SQLException;
import java.time.InstantSource;
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
 * last image. One order for all cells of this member: what is lost is an end of it, so nothing that
 * is kept follows from something that is not. Safe for all threads.
 *
 * <p>What comes while a commit is under way is committed together next, as one row. Whoever owns a
 * cell has its epoch; each commit checks the epochs of its cells in its own transaction. Who was
 * taken over is {@link Deposed}, and with the first record that is refused the order of this member
 * ends: nothing that was appended later is kept, of no cell. So a cell that goes to another member
 * in order has to go when {@link #allSoFar} is durable. While the database fails, appends wait and
 * the commit is tried again: nothing is acknowledged that is not durable, and {@link #trouble} says
 * what is wrong.
 *
 * <p>On an H2 file one journal is open at a time. A PostgreSQL server may have one for each member.
 */
public final class Journal implements AutoCloseable {
  private final Transactions transactions;
  private final JournalTables tables;
  private final MemberList members;
  private final JournalReader reader;
  private final LogExtent extent;
  private final GroupCommit commits;
  private final InstantSource clock;
  private final String place;

  private Journal(
      Database database, JournalSettings settings, InstantSource clock, IntConsumer imageWanted) {
    this.clock = clock;
    this.transactions = new Transactions(database.dataSource());
    this.tables = new JournalTables(database.shared());
    this.members = new MemberList(database.shared());
    this.place = database.toString();
    this.reader = new JournalReader(transactions, tables, place);
    this.extent = new LogExtent(settings.cells(), settings.logBytes());
    this.commits =
        new GroupCommit(
            transactions,
            tables,
            extent,
            settings,
            imageWanted,
            database::reopen,
            database.shared());
  }

  /** As the other one, with the time of day of this machine. */
  public static Journal open(Database database, JournalSettings settings, IntConsumer imageWanted) {
    return open(database, settings, InstantSource.system(), imageWanted);
  }

  /**
   * Opens the journal; the database stays its caller's to close, later.
   *
   * @param clock tells when an input came
   * @param imageWanted hears of cells that should be given a {@link #checkpoint} soon; must not
   *     block
   * @throws StorageException if it was written by another version or with other cells
   */
  public static Journal open(
      Database database, JournalSettings settings, InstantSource clock, IntConsumer imageWanted) {
    Journal journal = new Journal(database, settings, clock, imageWanted);
    journal.transaction(
        connection -> {
          journal.tables.claim(connection, settings.cells(), journal.place);
          return null;
        });
    journal.commits.start();
    return journal;
  }

  /**
   * Begins the space at this member, alone: takes all its cells over from whoever had them.
   *
   * @return the epoch of each; {@link #recover} comes next
   */
  public Map<Integer, Long> takeOver(String member, Collection<Integer> cells) {
    return transaction(
        connection -> {
          members.found(connection, member);
          return tables.raise(connection, sorted(cells));
        });
  }

  /**
   * Adds a member to those of whom it has met one.
   *
   * @throws StorageException if that one keeps its space elsewhere
   */
  public void join(String member, String beside) {
    transaction(
        connection -> {
          members.join(connection, member, beside, place);
          return null;
        });
  }

  /**
   * Takes cells over that this member should have, whoever had them. {@link #recover} comes next.
   *
   * @param lost members that are gone, from whom others cannot hear either
   * @return the epoch of each
   * @throws Expelled if the others took this member for lost
   */
  public Map<Integer, Long> claim(
      String member, Collection<String> lost, Collection<Integer> cells) {
    return transaction(
        connection -> {
          members.strike(connection, member, lost);
          return tables.raise(connection, sorted(cells));
        });
  }

  /** Who is a member of the space and was not struck off. */
  public Set<String> members() {
    return transaction(members::listed);
  }

  /** This member has left in order. */
  public void leave(String member) {
    transaction(
        connection -> {
          members.leave(connection, List.of(member));
          return null;
        });
  }

  /**
   * Tells what there is of cells that this member has taken over, one cell's records mixed with
   * another's. Memory is bounded by a part, and by a few batches.
   *
   * @param epochs as {@link #takeOver} or {@link #claim} gave them
   * @param have the last input of cells of which there is a copy: what comes later is told
   * @return the number of the last input of each; 0 if there is none
   */
  public Map<Integer, Long> recover(
      Map<Integer, Long> epochs, Map<Integer, Long> have, Recovery recovery) {
    Map<Integer, JournalReader.Extent> found =
        reader.read(sorted(epochs.keySet()), have, recovery, extent::counted);
    Map<Integer, Long> last = new HashMap<>();
    found.forEach(
        (cell, each) -> {
          extent.owns(cell, each);
          commits.owns(cell, epochs.get(cell), each.number, each.millis);
          last.put(cell, each.number);
          recovery.end(cell, each.millis);
        });
    return last;
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
            clock.millis(),
            new CompletableFuture<>()));
  }

  /**
   * Complete when all is durable that was appended before; fails if something of it is not, and
   * never will be.
   */
  public CompletableFuture<Void> allSoFar() {
    return commits.allSoFar();
  }

  /**
   * Keeps first images, of no input yet and of one part each, all at once.
   *
   * @param epochs as {@link #takeOver} gave them
   * @throws StorageException if somebody else has begun the space since
   */
  public void found(Map<Integer, Long> epochs, Map<Integer, byte[]> images) {
    long now = clock.millis();
    transaction(
        connection -> {
          if (!tables.epochs(connection, sorted(epochs.keySet())).equals(epochs)) {
            throw new StorageException(
                Code.LOCKED,
                "another member has begun the space in the database "
                    + place
                    + " at the same moment and goes on; let this one join it, or start this one"
                    + " again to take its place");
          }
          for (Map.Entry<Integer, byte[]> each : images.entrySet()) {
            tables.insertPart(connection, each.getKey(), 0, 0, each.getValue());
            tables.replaceImage(connection, each.getKey(), 0, now, 1, each.getValue().length);
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
        transactions,
        tables,
        extent,
        new Checkpoint.Of(cell, epoch, number, commits.lastMillis(cell), extent.mark(cell)));
  }

  /** The image that was asked for did not come; it is asked for again. */
  public void noCheckpoint(int cell) {
    extent.imageFailed(cell);
  }

  /**
   * Cells of which a {@link #checkpoint} would make the next {@link #recover} shorter than it takes
   * to write it, the one first that would take longest.
   */
  public List<Integer> slowToRepeat() {
    return extent.slowToRepeat();
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

package io.gleaner.space.hosting;

import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.InputCodec;
import io.gleaner.storage.Checkpoint;
import io.gleaner.storage.Database;
import io.gleaner.storage.Deposed;
import io.gleaner.storage.Journal;
import io.gleaner.storage.JournalSettings;
import io.gleaner.storage.Schema;
import io.gleaner.storage.ServerSettings;
import io.gleaner.storage.StorageException;
import io.gleaner.storage.StorageSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the inputs and images of all cells in a journal. Safe for all threads. */
public final class JournalKeeping implements Keeping {
  private static final Logger LOG = LoggerFactory.getLogger(JournalKeeping.class);

  /** More than this on its way to the disk, and cells wait. */
  private static final long MOST_WAITING_BYTES = 64L << 20;

  private final Database database;
  private final Journal journal;
  private final int cells;
  private final InstantSource clock;
  private final Map<Integer, Long> epochs = new ConcurrentHashMap<>();
  private final ExecutorService images =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "space-images");
            thread.setDaemon(true);
            return thread;
          });
  private volatile IntConsumer imageWanted = cell -> {};
  private volatile Runnable deposed = () -> {};
  private volatile boolean closing;

  private JournalKeeping(Database database, JournalSettings settings, InstantSource clock) {
    this.database = database;
    this.cells = settings.cells();
    this.clock = clock;
    this.journal = Journal.open(database, settings, clock, cell -> imageWanted.accept(cell));
  }

  /**
   * Opens the journal of a folder.
   *
   * @throws io.gleaner.storage.StorageException if it cannot be used
   */
  public static JournalKeeping open(StorageSettings storage, JournalSettings settings) {
    return on(Database.open(storage, Schema.SPACE), settings, InstantSource.system());
  }

  /**
   * Opens the journal of a server's database, which the members of a space share.
   *
   * @throws io.gleaner.storage.StorageException if it cannot be used
   */
  public static JournalKeeping open(ServerSettings server, JournalSettings settings) {
    return on(Database.connect(server, Schema.SPACE), settings, InstantSource.system());
  }

  /**
   * On a database that is open, and is closed with it.
   *
   * @param clock tells how long cells stood still
   */
  static JournalKeeping on(Database database, JournalSettings settings, InstantSource clock) {
    try {
      return new JournalKeeping(database, settings, clock);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  @Override
  public boolean isDurable() {
    return true;
  }

  @Override
  public void keep(int cell, List<Input> inputs, Runnable kept) {
    List<byte[]> records = new ArrayList<>(inputs.size());
    for (Input input : inputs) {
      records.add(InputCodec.encode(List.of(input)));
    }
    var unused =
        journal
            .append(cell, epochs.get(cell), inputs.get(0).number(), records)
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    kept.run();
                  } else if (failure instanceof Deposed) {
                    LOG.debug("what cell {} did last is not kept and not answered", cell, failure);
                    deposed.run();
                  } else {
                    LOG.warn("what cell {} did last is not kept and not answered", cell, failure);
                  }
                });
  }

  @Override
  public boolean isHeldUp() {
    return journal.trouble().isPresent() || journal.waitingBytes() > MOST_WAITING_BYTES;
  }

  @Override
  public List<Restored> restore(String member) {
    epochs.putAll(journal.takeOver(member, IntStream.range(0, cells).boxed().toList()));
    Restoring restoring = new Restoring(Map.of());
    journal.recover(epochs, Map.of(), restoring);
    Map<Integer, Cell> found = restoring.cells();
    if (found.isEmpty()) {
      return List.of();
    }
    LOG.info(
        "the space was restored: {} cells, {} inputs after their images",
        found.size(),
        restoring.inputs());
    Instant now = clock.instant();
    return IntStream.range(0, cells)
        .mapToObj(cell -> new Restored(found.get(cell), restoring.awayAt(cell, now)))
        .toList();
  }

  @Override
  public void join(String member, String beside) {
    journal.join(member, beside);
  }

  @Override
  public Map<Integer, Cell> claim(
      String member, Set<String> lost, Map<Integer, Optional<Cell>> copies) {
    Map<Integer, Long> raised = journal.claim(member, lost, copies.keySet());
    Map<Integer, Cell> known = new HashMap<>();
    copies.forEach((cell, copy) -> copy.ifPresent(each -> known.put(cell, each)));
    Map<Integer, Long> have = new HashMap<>();
    known.forEach((cell, copy) -> have.put(cell, copy.inputs()));
    Restoring restoring = new Restoring(known);
    Map<Integer, Long> last = journal.recover(raised, have, restoring);
    Map<Integer, Cell> found = restoring.cells();
    if (have.entrySet().stream().anyMatch(each -> each.getValue() > last.get(each.getKey()))) {
      // Nothing that was not kept leaves its owner, so somebody has put an older database there.
      LOG.error("copies of cells were ahead of the database, which is taken as it is");
      restoring = new Restoring(Map.of());
      journal.recover(raised, Map.of(), restoring);
      found = restoring.cells();
    }
    LOG.info("{} inputs of {} cells were read again", restoring.inputs(), found.size());
    epochs.putAll(raised);
    return found;
  }

  @Override
  public Set<String> members() {
    return journal.members();
  }

  @Override
  public void release(int cell) {
    journal.release(cell);
  }

  @Override
  public CompletableFuture<Void> allSoFar() {
    return journal.allSoFar();
  }

  @Override
  public void leave(String member) {
    try {
      journal.leave(member);
    } catch (StorageException e) {
      LOG.warn("the database was not told that this member has left; the others will find out", e);
    }
  }

  @Override
  public void found(List<Cell> founded) {
    Map<Integer, byte[]> parts = new HashMap<>();
    for (int i = 0; i < founded.size(); i++) {
      int index = i;
      founded.get(i).save(part -> parts.put(index, part));
    }
    journal.found(epochs, parts);
  }

  @Override
  public void imagesFrom(IntConsumer wanted) {
    imageWanted = wanted;
  }

  @Override
  public void whenDeposed(Runnable heard) {
    deposed = heard;
  }

  @Override
  public void noImage(int index) {
    journal.noCheckpoint(index);
  }

  @Override
  public CompletableFuture<Void> keepImage(Cell cell, int index) {
    Checkpoint checkpoint = journal.checkpoint(index, epochs.get(index), cell.inputs());
    List<byte[]> parts = new ArrayList<>();
    cell.save(parts::add);
    try {
      // Not before what it shows is kept, and what other cells did that led to it.
      return journal
          .allSoFar()
          .handleAsync(
              (done, failure) -> {
                if (failure == null) {
                  keep(index, checkpoint, parts);
                } else {
                  journal.noCheckpoint(index);
                }
                return null;
              },
              images);
    } catch (RejectedExecutionException e) {
      LOG.debug("the space closes without a new image of cell {}", index);
      return CompletableFuture.completedFuture(null);
    }
  }

  @Override
  public List<Integer> slowToRepeat() {
    return journal.slowToRepeat();
  }

  private void keep(int index, Checkpoint checkpoint, List<byte[]> parts) {
    try {
      for (byte[] part : parts) {
        if (closing) {
          LOG.debug("the space closes without a new image of cell {}", index);
          return;
        }
        checkpoint.part(part);
      }
      checkpoint.complete();
      LOG.debug("cell {} has a new image", index);
    } catch (RuntimeException e) {
      LOG.warn("the image of cell {} was not kept; its inputs stay in the journal", index, e);
    }
  }

  @Override
  public void close() {
    closing = true;
    images.shutdownNow();
    journal.close();
    database.close();
  }
}

package io.gleaner.puller;

import io.gleaner.blob.BlobStore;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.CheckpointEntry;
import io.gleaner.tuple.TaskEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The saved states of tasks: the bytes as a blob, and an entry that names it, one for each task.
 *
 * <p>A checkpoint is a convenience: one that is not saved or not found costs time and nothing else,
 * so trouble is logged and the task goes on.
 */
final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final long LEASE_MILLIS = Duration.ofDays(1).toMillis();

  private final TupleSpace space;
  private final BlobStore blobs;
  private final String launcherId;

  Checkpoints(TupleSpace space, BlobStore blobs, String launcherId) {
    this.space = space;
    this.blobs = blobs;
    this.launcherId = launcherId;
  }

  /** The state to go on from, or no element. */
  List<byte[]> last(TaskEntry task) {
    try {
      CheckpointEntry entry = (CheckpointEntry) space.readIfExists(template(task), null, 0);
      return entry == null || entry.attempt > task.attempt
          ? List.of()
          : List.of(blobs.read(entry.digest));
    } catch (IOException | TransactionException | UnusableEntryException | RuntimeException e) {
      LOG.warn("no checkpoint for task {}/{}: {}", task.jobId, task.taskIndex, e.toString());
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** Saves the state in place of the one before, unless a later attempt has saved one. */
  void save(TaskEntry task, byte[] state, double progress) {
    CheckpointEntry entry = template(task);
    entry.attempt = task.attempt;
    entry.launcherId = launcherId;
    entry.progress = progress;
    try {
      entry.digest = blobs.put(state);
      CheckpointEntry old = (CheckpointEntry) space.readIfExists(template(task), null, 0);
      if (old != null && old.attempt > task.attempt) {
        return;
      }
      if (old != null) {
        space.takeIfExists(old, null, 0);
      }
      space.write(entry, null, LEASE_MILLIS);
    } catch (IOException | TransactionException | UnusableEntryException | RuntimeException e) {
      LOG.warn("task {}/{} was not saved: {}", task.jobId, task.taskIndex, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static CheckpointEntry template(TaskEntry task) {
    CheckpointEntry template = CheckpointEntry.ofJob(task.jobId);
    template.taskIndex = task.taskIndex;
    template.replica = task.replica;
    return template;
  }
}

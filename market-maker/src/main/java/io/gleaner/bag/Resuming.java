package io.gleaner.bag;

import io.gleaner.blob.BlobStore;
import io.gleaner.description.BagDescription;
import io.gleaner.description.BagParser;
import io.gleaner.description.DescriptionException;
import io.gleaner.description.TaskExpansion;
import io.gleaner.signing.SignedManifest;
import io.gleaner.tuple.JobState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with the bags of the last run, however it ended; used once, before anything else happens
 * to bags. The row says what was decided, the job in the space how far that was carried out:
 *
 * <ul>
 *   <li>never opened: cancelled, as its submitter never had an answer and may try again;
 *   <li>open, and its job is open or about to be: it goes on;
 *   <li>open, and its job is gone (the space was in memory) or closed (it was being cancelled):
 *       cancelled;
 *   <li>ended, and perhaps not swept: it is swept.
 * </ul>
 */
final class Resuming {
  private static final Logger LOG = LoggerFactory.getLogger(Resuming.class);

  private final BagDatabase database;
  private final BagTuples tuples;
  private final BlobStore blobs;
  private final ConcurrentMap<String, LiveBag> live;
  private final Programs programs;
  private final Ending ending;

  Resuming(
      BagDatabase database,
      BagTuples tuples,
      BlobStore blobs,
      ConcurrentMap<String, LiveBag> live,
      Programs programs,
      Ending ending) {
    this.database = database;
    this.tuples = tuples;
    this.blobs = blobs;
    this.live = live;
    this.programs = programs;
    this.ending = ending;
  }

  void run() {
    for (BagRow row : rowsIn(JobState.PREPARING)) {
      ending.releaseKey(row.jobId());
      cancel(row, describe(row), "its submission was never completed");
    }
    rowsIn(JobState.OPEN).forEach(this::resume);
    database.run("read what was not swept", BagTable::unswept).forEach(ending::ended);
    tuples.jobs().forEach(this::sweepForgotten);
    ending.sweepAll();
  }

  private List<BagRow> rowsIn(JobState state) {
    return database.run("read the bags of the last run", c -> BagTable.inState(c, state));
  }

  private void resume(BagRow row) {
    Optional<BagDescription> description = describe(row);
    Optional<JobState> told = tuples.stateOf(row.jobId());
    if (told.isEmpty()) {
      cancel(
          row,
          description,
          "the node was restarted and its tasks are gone: the space was in memory");
    } else if (told.get().ended()) {
      cancel(row, description, "it was being cancelled when the node stopped");
    } else if (description.isEmpty()) {
      cancel(row, description, "the node was restarted by a version that cannot read it");
    } else {
      resume(row, description.get(), told.get());
    }
  }

  private void resume(BagRow row, BagDescription description, JobState told) {
    LiveBag bag;
    try {
      TaskExpansion tasks = TaskExpansion.of(description, row.files(), blobs::open);
      Price price = Price.of(description, tasks.size());
      SignedManifest program = programs.of(description, row.files(), blobs);
      bag = new LiveBag(row, description, tasks, price, program);
    } catch (DescriptionException | BagException e) {
      cancel(
          row,
          Optional.of(description),
          "the node was restarted and cannot read its files: " + e.getMessage());
      return;
    }
    live.put(row.jobId(), bag);
    if (told == JobState.PREPARING) {
      tuples.open(bag);
    }
    LOG.info("bag {} of {} goes on: {} tasks remain", row.jobId(), row.owner(), remaining(row));
  }

  private static int remaining(BagRow row) {
    return row.tasks() - row.completed() - row.failed();
  }

  private static Optional<BagDescription> describe(BagRow row) {
    try {
      return Optional.of(BagParser.parse(row.description()));
    } catch (DescriptionException e) {
      LOG.warn("bag {} was described in an older format; nobody is told of its end", row.jobId());
      return Optional.empty();
    }
  }

  private void cancel(BagRow row, Optional<BagDescription> description, String reason) {
    ending.ended(ending.cancelRow(row.jobId(), description, reason));
    LOG.warn("bag {} is cancelled: {}", row.jobId(), reason);
  }

  /** A bag may have ended while this space was not there. */
  private void sweepForgotten(String jobId) {
    if (live.containsKey(jobId) || ending.isBeingSwept(jobId)) {
      return;
    }
    database
        .run("read a bag", c -> BagTable.find(c, jobId))
        .ifPresentOrElse(
            ending::ended,
            () -> LOG.warn("the space has a job '{}' of which the database knows nothing", jobId));
  }
}

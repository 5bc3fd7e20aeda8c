package io.gleaner.bag;

import io.gleaner.blob.BlobStore;
import io.gleaner.blob.UserBlobs;
import io.gleaner.description.BagDescription;
import io.gleaner.description.BagParser;
import io.gleaner.description.DescriptionException;
import io.gleaner.description.Problem;
import io.gleaner.description.TaskExpansion;
import io.gleaner.ledger.Credits;
import io.gleaner.ledger.Ledger;
import io.gleaner.ledger.LedgerException;
import io.gleaner.notice.Notices;
import io.gleaner.signing.Digests;
import io.gleaner.signing.SignedManifest;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.TaskKind;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The submission of a bag, step by step: checks, the row, the escrow, the job in preparation, the
 * tasks in chunks, and the small transaction that opens it. Whatever fails in between is undone by
 * {@link Ending}. Safe for all threads; one submission per idempotency key at a time.
 */
final class Submitting {
  private static final Logger LOG = LoggerFactory.getLogger(Submitting.class);
  private static final int KEY_LENGTH = 200;

  private final BagDatabase database;
  private final BagTuples tuples;
  private final UserBlobs blobs;
  private final Ledger ledger;
  private final Programs programs;
  private final Notices notices;
  private final InstantSource clock;
  private final ConcurrentMap<String, LiveBag> live;
  private final Ending ending;

  Submitting(
      BagDatabase database,
      BagTuples tuples,
      UserBlobs blobs,
      Ledger ledger,
      Programs programs,
      Notices notices,
      InstantSource clock,
      ConcurrentMap<String, LiveBag> live,
      Ending ending) {
    this.database = database;
    this.tuples = tuples;
    this.blobs = blobs;
    this.ledger = ledger;
    this.programs = programs;
    this.notices = notices;
    this.clock = clock;
    this.live = live;
    this.ending = ending;
  }

  /** What a submission's key stands for. */
  static String contentDigest(Bags.Submission submission) {
    return Digests.sha256Hex(
        Digests.sha256Hex(submission.description()) + "\n" + FileList.write(submission.files()));
  }

  static void requireKey(String key) {
    if (key.isBlank()
        || key.length() > KEY_LENGTH
        || key.chars().anyMatch(Character::isISOControl)) {
      throw new BagException(
          BagException.Code.LIMIT,
          "the idempotency key must have 1 to "
              + KEY_LENGTH
              + " characters and no control characters; a random UUID is a good one");
    }
  }

  /** Submits, or answers with the bag that the key made before. */
  BagRow submit(String owner, Bags.Submission submission, String contentDigest) {
    String key = submission.idempotencyKey();
    Optional<BagRow> before =
        database.run("look up the key", c -> BagTable.findByKey(c, owner, key));
    if (before.isPresent()) {
      return requireSame(before.get(), contentDigest);
    }
    LiveBag bag = check(owner, submission, contentDigest);
    bag.lifecycle.lock();
    try {
      prepare(bag);
      return open(bag);
    } catch (RuntimeException e) {
      undo(bag, e);
      throw e;
    } finally {
      bag.lifecycle.unlock();
    }
  }

  static BagRow requireSame(BagRow before, String contentDigest) {
    if (!before.contentDigest().equals(contentDigest)) {
      throw keyReused(before.idempotencyKey());
    }
    return before;
  }

  static BagException keyReused(String key) {
    return new BagException(
        BagException.Code.KEY_REUSED,
        "the idempotency key '"
            + key
            + "' belongs to another submission of yours; use a new key for a new bag");
  }

  private LiveBag check(String owner, Bags.Submission submission, String contentDigest) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    BagDescription description;
    TaskExpansion tasks;
    SignedManifest program;
    try {
      description = BagParser.parse(submission.description());
      requireRunnable(description, now);
      BlobStore theirs = blobs.of(owner);
      requireFiles(description, submission.files(), theirs);
      tasks = TaskExpansion.of(description, submission.files(), theirs::open);
      program = programs.of(description, submission.files(), theirs);
    } catch (DescriptionException e) {
      throw refusal(e);
    }
    Price price = Price.of(description, tasks.size());
    BagRow row =
        new BagRow(
            "b-" + UUID.randomUUID(),
            owner,
            submission.idempotencyKey(),
            contentDigest,
            description.name(),
            submission.description(),
            submission.files(),
            JobState.PREPARING,
            tasks.size(),
            0,
            0,
            description.budgetMicros(),
            0,
            now,
            Optional.empty(),
            "its tasks are being written");
    return new LiveBag(row, description, tasks, price, program);
  }

  static BagException refusal(DescriptionException e) {
    BagException.Code code =
        switch (e.code()) {
          case INVALID -> BagException.Code.INVALID_DESCRIPTION;
          case MISSING_FILE -> BagException.Code.MISSING_FILE;
          case LIMIT -> BagException.Code.LIMIT;
        };
    return new BagException(
        code, e.getMessage(), e.problems().stream().map(Problem::toString).toList());
  }

  private void requireRunnable(BagDescription bag, Instant now) {
    if (bag.kind() != TaskKind.JAVA) {
      throw invalid(
          "kind: tasks of kind "
              + bag.kind().name().toLowerCase(java.util.Locale.ROOT)
              + " do not run in this version; write kind: java");
    }
    if (bag.notice().flatMap(BagDescription.Notice::mail).isPresent() && !notices.canMail()) {
      throw invalid(
          "notify.mail: this node has no mail server; use notify.webhook, or ask its operator to"
              + " set one");
    }
    bag.notice()
        .flatMap(BagDescription.Notice::webhook)
        .flatMap(notices::problemOf)
        .ifPresent(
            problem -> {
              throw invalid("notify.webhook: " + problem);
            });
    if (bag.deadline().isPresent() && !bag.deadline().get().from(now).isAfter(now)) {
      throw invalid("deadline: it has passed; write a later one or a duration such as 2h");
    }
  }

  private static BagException invalid(String sentence) {
    return new BagException(BagException.Code.INVALID_DESCRIPTION, sentence);
  }

  /** Files of others count as not uploaded; those that are there stay until the bag is written. */
  private static void requireFiles(
      BagDescription bag, Map<String, String> files, BlobStore theirs) {
    for (String name : bag.files()) {
      if (!files.containsKey(name)) {
        throw new BagException(
            BagException.Code.MISSING_FILE,
            "the file '" + name + "' that the description names was not handed in; add it");
      }
    }
    try {
      for (Map.Entry<String, String> file : files.entrySet()) {
        if (!theirs.contains(file.getValue())) {
          throw new BagException(
              BagException.Code.MISSING_FILE,
              "the content of '" + file.getKey() + "' was not uploaded; upload it first");
        }
      }
    } catch (IOException e) {
      throw new BagException(
          BagException.Code.UNAVAILABLE, "the blob store does not answer; try again", e);
    }
  }

  /** The row, the escrow and the tasks; nothing of it is visible to the market. */
  private void prepare(LiveBag bag) {
    BagRow row = bag.row();
    database.run(
        "write the bag",
        c -> {
          BagTable.insert(c, row);
          return row;
        });
    live.put(bag.jobId(), bag);
    escrow(bag);
    tuples.writePreparing(bag);
    for (int next = 0; next < bag.tasks.size(); ) {
      next = tuples.writeTasks(bag, next);
      Optional<String> cancelled = bag.cancelAsked();
      if (cancelled.isPresent()) {
        throw new BagException(
            BagException.Code.UNAVAILABLE,
            "the bag was cancelled while it was written: " + cancelled.get());
      }
    }
  }

  private void escrow(LiveBag bag) {
    try {
      ledger.escrow(bag.row().owner(), bag.jobId(), bag.row().budgetMicros());
    } catch (LedgerException e) {
      if (e.code() != LedgerException.Code.NOT_ENOUGH_CREDITS) {
        throw e;
      }
      // Nothing was moved, and with more credits the same key may be tried again.
      live.remove(bag.jobId());
      database.run(
          "remove the refused bag",
          c -> {
            BagTable.delete(c, bag.jobId());
            return bag;
          });
      throw new BagException(BagException.Code.NOT_ENOUGH_CREDITS, e.getMessage(), e);
    }
  }

  /**
   * The disk says OPEN before the space does: a result can arrive as soon as the space does, and
   * must find the bag open.
   */
  private BagRow open(LiveBag bag) {
    Instant now = clock.instant();
    BagRow open = bag.row().after(JobState.Event.OPENED, now, costNote(bag));
    bag.counting.lock();
    try {
      database.run(
          "open the bag",
          c -> {
            BagTable.update(c, open);
            return open;
          });
      bag.row(open);
    } finally {
      bag.counting.unlock();
    }
    tuples.open(bag);
    LOG.info("bag {} of {} is open with {} tasks", bag.jobId(), open.owner(), open.tasks());
    return open;
  }

  private static String costNote(LiveBag bag) {
    return bag.price.mostMicros() <= bag.row().budgetMicros()
        ? ""
        : "if every task uses its limit at the price limit, all would cost "
            + Credits.text(bag.price.mostMicros())
            + " credits; the budget is "
            + Credits.text(bag.row().budgetMicros())
            + ".";
  }

  private void undo(LiveBag bag, RuntimeException cause) {
    if (!live.containsKey(bag.jobId())) {
      return;
    }
    try {
      if (bag.cancelAsked().isEmpty()) {
        ending.releaseKey(bag.jobId());
      }
      ending.cancel(bag, "its submission failed: " + cause.getMessage());
    } catch (RuntimeException e) {
      // The sweeper finds it in preparation and cancels it.
      cause.addSuppressed(e);
    }
  }
}

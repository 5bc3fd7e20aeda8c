package io.gleaner.bag;

import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.bag.Bags.Submission;
import io.gleaner.bag.Bags.Summary;
import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.ledger.Invariants;
import io.gleaner.ledger.Ledger;
import io.gleaner.ledger.LedgerSettings;
import io.gleaner.ledger.SqlLedger;
import io.gleaner.notice.NoticeSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.CheckpointEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;
import org.awaitility.Awaitility;

/** The part of a node that bags need, real in every piece, with verbs for stories. */
final class BagNode implements AutoCloseable {
  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  private final Database database;
  private final Ledger ledger;
  private final FileBlobStore blobs;
  private final String bundle;
  private final LostAcknowledgements acknowledgements = new LostAcknowledgements();
  private final Path signer;
  private TestSpace space;
  private SqlBags bags;
  private SpaceSigners signers;

  private BagNode(Path folder) throws Exception {
    database = Database.open(StorageSettings.in(folder.resolve("data")));
    ledger = new SqlLedger(database.dataSource(), InstantSource.system(), new LedgerSettings(0));
    signer = folder.resolve("signer");
    blobs = new FileBlobStore(folder.resolve("blobs"), 1 << 20);
    bundle = blobs.put("the program".getBytes(StandardCharsets.UTF_8));
  }

  static BagNode start(Path folder) throws Exception {
    BagNode node = new BagNode(folder);
    node.startBags();
    return node;
  }

  private void startBags() {
    if (space == null) {
      space = TestSpace.open();
    }
    BagSettings settings =
        new BagSettings(
            Duration.ofMinutes(1),
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofMillis(20),
            NoticeSettings.standard(Optional.empty()));
    signers = SpaceSigners.open(database.dataSource(), space(), signer, InstantSource.system());
    bags =
        SqlBags.start(
            acknowledgements.over(database.dataSource()),
            space(),
            blobs,
            ledger,
            signers,
            settings,
            InstantSource.system());
  }

  /** The next commit of the bags is on disk, but they do not hear so. */
  void losesTheNextAcknowledgement() {
    acknowledgements.losesTheNext();
  }

  void restartsWithAFreshSpace() {
    bags.close();
    space.close();
    space = null;
    startBags();
  }

  /** The space is as it was. */
  void restarts() {
    bags.close();
    startBags();
  }

  /** Puts the job in that state, as a node that was killed may have left it. */
  void finds(String jobId, JobState state) throws Exception {
    JobEntry job = (JobEntry) space().takeIfExists(JobEntry.ofJob(jobId), null, 0);
    job.state = state;
    space().write(job, null, Lease.FOREVER);
  }

  /** The bag as a node leaves it that is killed before it opens it. */
  void leavesInPreparation(String jobId) throws Exception {
    finds(jobId, JobState.PREPARING);
    space().takeIfExists(BidEntry.ofJob(jobId), null, 0);
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement update =
            connection.prepareStatement("update bag set state = 'PREPARING' where job_id = ?")) {
      update.setString(1, jobId);
      update.executeUpdate();
    }
  }

  SqlBags bags() {
    return bags;
  }

  SpaceSigners signers() {
    return signers;
  }

  /** Oldest first. */
  List<SecurityEvent> securityLog() {
    SecurityLog log = new SecurityLog(database.dataSource(), InstantSource.system());
    List<SecurityEvent> events = new ArrayList<>();
    log.newest(Long.MAX_VALUE, 100).forEach(entry -> events.add(0, entry.event()));
    return events;
  }

  BagBlobs usedBlobs() {
    return new BagBlobs(database.dataSource());
  }

  Ledger ledger() {
    return ledger;
  }

  TupleSpace space() {
    return space.client();
  }

  String bundle() {
    return bundle;
  }

  List<String> brokenInvariants() throws Exception {
    return Invariants.check(database.dataSource()).stream().map(Object::toString).toList();
  }

  /** A bag of so many tasks with one parameter i, and more lines of YAML. */
  Summary submits(String owner, int tasks, String yaml, String key) {
    String parameters = "parameters: {i: {range: {from: 0, to: " + (tasks - 1) + "}}}\n";
    String description = "name: bag\nbundle: a.jar\nentry_point: a.A\n" + parameters + yaml + "\n";
    return bags.submit(owner, new Submission(description, Map.of("a.jar", bundle), key));
  }

  Transaction begin() throws Exception {
    return space().begin(Duration.ofSeconds(60)).transaction;
  }

  boolean readsOpenJob(String jobId, Transaction transaction) throws Exception {
    JobEntry open = JobEntry.ofJob(jobId);
    open.state = JobState.OPEN;
    return space().readIfExists(open, transaction, JavaSpace.NO_WAIT) != null;
  }

  Entry read(Entry template) throws Exception {
    return space().readIfExists(template, null, JavaSpace.NO_WAIT);
  }

  /** Takes so many tasks for good, as launchers that commit do. */
  void takes(String jobId, int tasks) throws Exception {
    int taken = 0;
    while (taken < tasks) {
      Collection<?> some =
          space()
              .take(
                  List.of(TaskEntry.ofJob(jobId)),
                  null,
                  JavaSpace.NO_WAIT,
                  Math.min(1000, tasks - taken));
      if (some.isEmpty()) {
        throw new AssertionError("only " + taken + " of " + tasks + " tasks are there");
      }
      taken += some.size();
    }
  }

  long pays(String jobId, int taskIndex, String owner, long micros) {
    return ledger
        .settle(List.of(new Ledger.Settlement(jobId, taskIndex, 0, owner, micros)), ledger.epoch())
        .get(0);
  }

  TaskOutcome outcome(int taskIndex, boolean completed, long paidMicros) {
    return new TaskOutcome(
        taskIndex,
        Map.of(),
        (completed ? Outcome.COMPLETED : Outcome.FAILED).name(),
        "launcher",
        completed ? Optional.of(bundle) : Optional.empty(),
        11,
        1_000_000,
        paidMicros,
        1000,
        completed ? "" : "broken",
        "log",
        Instant.EPOCH);
  }

  ResultEntry result(String jobId, int taskIndex) {
    ResultEntry result = ResultEntry.ofJob(jobId);
    result.taskIndex = taskIndex;
    return result;
  }

  int count(Entry template) throws Exception {
    MatchSet all = space().contents(List.of(template), null, 60_000, Long.MAX_VALUE);
    int count = 0;
    while (all.next() != null) {
      count++;
    }
    return count;
  }

  /** Entries of any kind that the bag has in the space. */
  int leftOf(String jobId) throws Exception {
    return count(JobEntry.ofJob(jobId))
        + count(BidEntry.ofJob(jobId))
        + count(TaskEntry.ofJob(jobId))
        + count(ResultEntry.ofJob(jobId))
        + count(CheckpointEntry.ofJob(jobId));
  }

  @Override
  public void close() {
    bags.close();
    space.close();
    database.close();
  }
}

package io.gleaner.rest;

import io.gleaner.audit.Checkpoint;
import io.gleaner.audit.Evidence;
import io.gleaner.audit.SecurityLog;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.ledger.Audit;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signin.Authentication;
import io.gleaner.signing.Signer;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** The security log, and whether it and the ledger are what was written; for auditors. */
public final class AuditOperations {
  private static final int MOST_LINES = 1000;
  private static final int MOST_SIGNERS = 100;

  private final Auditing auditing;
  private final OffLoop offLoop;
  private final OffLoop slow;
  private final AtomicBoolean checking = new AtomicBoolean();

  /** A line of the log. */
  record LogLine(
      long line,
      Instant at,
      String deed,
      String outcome,
      String who,
      String from,
      String subject,
      String detail) {

    static LogLine of(SecurityLog.Entry entry) {
      return new LogLine(
          entry.line(),
          entry.at(),
          entry.event().deed().name(),
          entry.event().outcome().name(),
          entry.event().by().name(),
          entry.event().by().from(),
          entry.event().subject(),
          entry.event().detail());
    }
  }

  /** Lines of the log, newest first. */
  record LogPage(List<LogLine> lines) {}

  /** Texts that can be kept elsewhere. */
  record CheckpointList(List<String> checkpoints) {}

  /** What the caller brings along: texts of checkpoints, and keys that count. */
  record Brought(List<String> checkpoints, List<String> signers) {}

  /** What was found. */
  record Verdict(boolean clean, Audit audit) {}

  /**
   * Operations.
   *
   * @param slow runs what may take long
   */
  public AuditOperations(Auditing auditing, OffLoop offLoop, OffLoop slow) {
    this.auditing = auditing;
    this.offLoop = offLoop;
    this.slow = slow;
  }

  void log(RoutingContext ctx) {
    requireAuditor(ctx);
    int most = Requests.number(ctx, "limit", 50, 1, MOST_LINES);
    int before = Requests.number(ctx, "before", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
    offLoop
        .call(
            () ->
                new LogPage(auditing.log().newest(before, most).stream().map(LogLine::of).toList()))
        .onSuccess(page -> Json.send(ctx, 200, page))
        .onFailure(ctx::fail);
  }

  void checkpoints(RoutingContext ctx) {
    requireAuditor(ctx);
    offLoop
        .call(
            () ->
                new CheckpointList(
                    auditing.notary().sign().stream().map(Checkpoint::encode).toList()))
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  void verify(RoutingContext ctx) {
    requireAuditor(ctx);
    Evidence brought = evidence(Json.read(ctx.body().buffer(), Brought.class));
    if (!checking.compareAndSet(false, true)) {
      throw new ConsoleException(Code.TOO_MANY, "a check runs already; try again when it is done");
    }
    slow.call(() -> verdict(brought))
        .onComplete(done -> checking.set(false))
        .onSuccess(verdict -> Json.send(ctx, 200, verdict))
        .onFailure(ctx::fail);
  }

  private Verdict verdict(Evidence brought) {
    if (!brought.signers().isEmpty()) {
      // A chain that began a moment ago has no checkpoint yet.
      auditing.notary().sign();
    }
    List<Checkpoint> kept = new ArrayList<>(brought.kept());
    kept.addAll(auditing.notary().newest());
    Audit audit = Audit.of(auditing.database(), new Evidence(brought.signers(), kept));
    return new Verdict(audit.isClean(), audit);
  }

  private static Evidence evidence(Brought brought) {
    List<String> signers = brought.signers() == null ? List.of() : brought.signers();
    List<String> texts = brought.checkpoints() == null ? List.of() : brought.checkpoints();
    if (signers.size() > MOST_SIGNERS || texts.size() > MOST_SIGNERS) {
      throw new ConsoleException(
          Code.INVALID_REQUEST, "at most " + MOST_SIGNERS + " signers and checkpoints are taken");
    }
    try {
      Set<Signer> keys = signers.stream().map(Signer::new).collect(Collectors.toSet());
      return new Evidence(keys, texts.stream().map(Checkpoint::decode).toList());
    } catch (SecurityRefusal e) {
      throw new ConsoleException(Code.INVALID_REQUEST, e.getMessage(), e);
    }
  }

  private static void requireAuditor(RoutingContext ctx) {
    Authentication.callerOf(ctx).require(Action.READ, Thing.every(Thing.AUDIT));
  }
}

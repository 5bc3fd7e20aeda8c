package io.gleaner.verification;

import io.gleaner.audit.PlainText;
import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.bag.TaskRegister;
import io.gleaner.ledger.Ledger.Settlement;
import io.gleaner.ledger.LedgerException;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import io.gleaner.verification.Finding.Claimed;
import io.gleaner.verification.Finding.Dropped;
import io.gleaner.verification.Finding.Faulted;
import io.gleaner.verification.Finding.Refused;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges and pays the results that one space transaction took. For one thread, used once.
 *
 * <p>Order: claims on disk, ledger, register, then what goes back to the space. A crash anywhere
 * delivers the results again, and each of these steps knows what it did before.
 */
final class Batch {
  private static final Logger LOG = LoggerFactory.getLogger(Batch.class);
  private static final int REASON_LENGTH = 500;
  private static final int LOG_LENGTH = 8_000;

  /** A whole result of an open bag. */
  private record Delivery(ResultEntry result, TaskRegister.Terms terms, Quorum quorum) {
    TaskKey task() {
      return Finding.task(result);
    }
  }

  /** A task with enough equal results. */
  private record Accepted(
      Quorum.Agreed agreed, List<Settlement> settlements, List<Delivery> deliveries) {}

  private final Verifier.Parts parts;
  private final VerifierSettings settings;
  private final ClaimStore store;
  private final Requeue requeue;
  private final long epoch;

  private final Map<TaskKey, Map<Integer, Claim>> claims = new HashMap<>();
  private final List<Claim> fresh = new ArrayList<>();
  private final List<ResultEntry> signed = new ArrayList<>();
  private final Map<TaskKey, List<Delivery>> claimed = new LinkedHashMap<>();

  Batch(
      Verifier.Parts parts,
      VerifierSettings settings,
      ClaimStore store,
      Requeue requeue,
      long epoch) {
    this.parts = parts;
    this.settings = settings;
    this.store = store;
    this.requeue = requeue;
    this.epoch = epoch;
  }

  /** Does everything but the commit of the space transaction. */
  void run(List<ResultEntry> results) throws RemoteException, TransactionException {
    List<Delivery> deliveries = deliveries(results);
    for (Claim claim : store.of(deliveries.stream().map(Delivery::task).distinct().toList())) {
      claimsOf(claim.task()).put(claim.replica(), claim);
    }
    for (Delivery delivery : deliveries) {
      examine(delivery);
    }
    store.add(fresh, signed);
    List<Accepted> accepted = new ArrayList<>();
    for (List<Delivery> ofTask : claimed.values()) {
      judge(ofTask).ifPresent(accepted::add);
    }
    List<Long> paid = settle(accepted);
    for (int i = 0; i < accepted.size(); i++) {
      accept(accepted.get(i), paid.get(i));
    }
    requeue.write();
  }

  private List<Delivery> deliveries(List<ResultEntry> results) {
    Map<String, Optional<TaskRegister.Terms>> terms = new HashMap<>();
    List<Delivery> deliveries = new ArrayList<>();
    for (ResultEntry result : results) {
      if (!Examiner.isWhole(result)) {
        LOG.warn("a result of bag {} is not whole and was dropped unpaid", result.jobId);
        continue;
      }
      Optional<TaskRegister.Terms> open =
          terms.computeIfAbsent(result.jobId, parts.register()::termsOfOpen);
      if (open.isEmpty()) {
        dropped(result, "the bag is not open");
        continue;
      }
      Quorum quorum = new Quorum(open.get().replication(), settings.extraReplicas());
      deliveries.add(new Delivery(result, open.get(), quorum));
    }
    return deliveries;
  }

  private void examine(Delivery delivery) throws RemoteException, TransactionException {
    ResultEntry result = delivery.result();
    Map<Integer, Claim> ofTask = claimsOf(delivery.task());
    Finding finding;
    try {
      Optional<Claim> before = Optional.ofNullable(ofTask.get(result.replica));
      finding = parts.examiner().examine(result, delivery.terms(), delivery.quorum(), before);
    } catch (IOException | RuntimeException e) {
      // One that cannot be looked at must not hold up the others.
      LOG.warn("a result of {} cannot be verified now, tried again later", delivery.task(), e);
      requeue.later(result);
      return;
    }
    if (finding instanceof Claimed found) {
      if (ofTask.put(result.replica, found.claim()) == null) {
        fresh.add(found.claim());
        if (result.signature != null) {
          signed.add(result);
        }
      }
      claimed.computeIfAbsent(delivery.task(), task -> new ArrayList<>()).add(delivery);
    } else if (finding instanceof Faulted) {
      int faults = 1 + faultsBefore(result);
      String reason =
          result.reason == null ? "no reason given" : PlainText.of(result.reason, REASON_LENGTH);
      LOG.info("{} failed, fault {}: {}", delivery.task(), faults, reason);
      if (faults >= delivery.terms().maxAttempts()) {
        park(delivery, reason);
      } else {
        requeue.again(result, faults);
      }
    } else if (finding instanceof Refused refused) {
      LOG.warn(
          "result of {} by launcher {} was refused unpaid: {}",
          delivery.task(),
          result.launcherId,
          refused.reason());
      parts.refusals().count(result.launcherId);
      if (result.attempt >= settings.attempts()) {
        park(delivery, "attempt " + result.attempt + " was refused: " + refused.reason());
      } else {
        requeue.again(result, faultsBefore(result));
      }
    } else if (finding instanceof Dropped drop) {
      dropped(result, drop.reason());
    }
  }

  private Optional<Accepted> judge(List<Delivery> ofTask)
      throws RemoteException, TransactionException {
    Delivery delivery = ofTask.get(0);
    TaskKey task = delivery.task();
    List<Claim> all = List.copyOf(claimsOf(task).values());
    Quorum.Verdict verdict = delivery.quorum().decide(all);
    if (verdict instanceof Quorum.Agreed agreed) {
      return Optional.of(new Accepted(agreed, Payment.of(agreed, delivery.terms()), ofTask));
    }
    if (verdict instanceof Quorum.Disagreed disagreed) {
      park(
          delivery,
          disagreed.replicas()
              + " copies gave "
              + disagreed.answers()
              + " different results, "
              + delivery.terms().replication()
              + " equal ones are needed");
    } else if (verdict instanceof Quorum.Open open) {
      // What was asked for before these results came is known from the claims without them.
      List<Claim> earlier =
          all.stream()
              .filter(c -> ofTask.stream().noneMatch(d -> d.result().replica == c.replica()))
              .toList();
      int asked = delivery.quorum().decide(earlier) instanceof Quorum.Open e ? e.replicas() : 0;
      for (int replica = asked; replica < open.replicas(); replica++) {
        LOG.info("results of {} disagree, replica {} is added", task, replica);
        requeue.copy(task, replica);
      }
    }
    return Optional.empty();
  }

  /** What was paid for each task, over all members of its quorum. */
  private List<Long> settle(List<Accepted> accepted) {
    List<Settlement> all = accepted.stream().flatMap(a -> a.settlements().stream()).toList();
    List<Long> each;
    try {
      each = parts.ledger().settle(all, epoch);
    } catch (LedgerException e) {
      if (e.code() != LedgerException.Code.CAUSE_REUSED
          && e.code() != LedgerException.Code.INVALID) {
        throw e;
      }
      each = new ArrayList<>();
      for (Settlement settlement : all) {
        each.add(settleAlone(settlement));
      }
    }
    List<Long> paid = new ArrayList<>();
    int next = 0;
    for (Accepted task : accepted) {
      long sum = 0;
      for (int i = 0; i < task.settlements().size(); i++) {
        sum += each.get(next++);
      }
      paid.add(sum);
    }
    return paid;
  }

  /** One payment that the ledger refuses for good must not hold up the others. */
  private long settleAlone(Settlement settlement) {
    try {
      return parts.ledger().settle(List.of(settlement), epoch).get(0);
    } catch (LedgerException e) {
      if (e.code() != LedgerException.Code.CAUSE_REUSED
          && e.code() != LedgerException.Code.INVALID) {
        throw e;
      }
      LOG.error("{} was not paid, the ledger refuses it for good", settlement, e);
      return 0;
    }
  }

  private void accept(Accepted accepted, long paidMicros) {
    Claim first = accepted.agreed().members().get(0);
    try {
      parts
          .register()
          .ended(
              first.task().jobId(),
              new TaskOutcome(
                  first.task().taskIndex(),
                  parameters(first.task()),
                  Outcome.COMPLETED.name(),
                  first.launcherId(),
                  Optional.of(first.outputDigest()),
                  first.outputBytes(),
                  accepted.agreed().microUnits(),
                  paidMicros,
                  first.elapsedMillis(),
                  "",
                  "",
                  parts.clock().instant()));
    } catch (RuntimeException e) {
      LOG.warn("{} could not be registered, tried again later", first.task(), e);
      accepted.deliveries().forEach(delivery -> requeue.later(delivery.result()));
    }
  }

  private void park(Delivery delivery, String reason) throws RemoteException, TransactionException {
    ResultEntry result = delivery.result();
    LOG.info("{} is parked as failed: {}", delivery.task(), reason);
    try {
      parts
          .register()
          .ended(
              result.jobId,
              new TaskOutcome(
                  result.taskIndex,
                  parameters(delivery.task()),
                  Outcome.FAILED.name(),
                  result.launcherId,
                  Optional.empty(),
                  0,
                  0,
                  0,
                  result.elapsedMillis == null ? 0 : Math.max(0, result.elapsedMillis),
                  PlainText.of(reason, REASON_LENGTH),
                  lastOf(result.logTail),
                  parts.clock().instant()));
    } catch (RuntimeException e) {
      LOG.warn("{} could not be parked, tried again later", delivery.task(), e);
      requeue.later(result);
      return;
    }
    if (delivery.terms().replication() > 1) {
      requeue.takeAway(delivery.task());
    }
  }

  private Map<String, String> parameters(TaskKey key) {
    Optional<TaskEntry> task = parts.register().task(key.jobId(), key.taskIndex());
    return task.map(t -> t.parameters).map(Map::copyOf).orElse(Map.of());
  }

  private Map<Integer, Claim> claimsOf(TaskKey task) {
    return claims.computeIfAbsent(task, key -> new LinkedHashMap<>());
  }

  private static void dropped(ResultEntry result, String reason) {
    LOG.info(
        "result of {} by launcher {} was dropped unpaid: {}",
        Finding.task(result),
        result.launcherId,
        reason);
  }

  private static String lastOf(String log) {
    return log == null
        ? ""
        : PlainText.lines(log.substring(Math.max(0, log.length() - LOG_LENGTH)), LOG_LENGTH);
  }

  /** The gateway lets only the number of the task through, or none; no attempt has two faults. */
  private static int faultsBefore(ResultEntry result) {
    int most = Math.max(0, result.attempt - 1);
    return result.faults == null ? most : Math.max(0, Math.min(most, result.faults));
  }
}

package io.gleaner.verification;

import io.gleaner.bag.TaskRegister;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets aside what a launcher claimed of tasks that are not decided yet: the claim counts for no
 * quorum, and its copy runs again elsewhere. What was decided stays as it was paid. For one thread.
 */
final class Quarantine {
  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  private final Verifier.Parts parts;
  private final VerifierSettings settings;
  private final ClaimStore store;

  Quarantine(Verifier.Parts parts, VerifierSettings settings, ClaimStore store) {
    this.parts = parts;
    this.settings = settings;
    this.store = store;
  }

  /** The copies are in the space before the claims are gone: a crash between costs one copy. */
  void of(String launcherId) throws RemoteException, TransactionException, LeaseDeniedException {
    List<Claim> undecided =
        store.ofLauncher(launcherId).stream().filter(this::isUndecided).toList();
    if (undecided.isEmpty()) {
      return;
    }
    Transaction transaction =
        parts.space().begin(Duration.ofMillis(settings.leaseMillis())).transaction;
    Requeue requeue = new Requeue(parts.space(), parts.register(), transaction);
    undecided.forEach(requeue::instead);
    requeue.write();
    transaction.commit();
    store.remove(undecided);
    LOG.info("{} results of launcher {} are set aside unpaid", undecided.size(), launcherId);
  }

  private boolean isUndecided(Claim claim) {
    Optional<TaskRegister.Terms> terms = parts.register().termsOfOpen(claim.task().jobId());
    return terms.isPresent()
        && new Quorum(terms.get().replication(), settings.extraReplicas())
                .decide(store.of(List.of(claim.task())))
            instanceof Quorum.Open;
  }
}

package io.gleaner.jini;

import io.gleaner.space.Command;
import io.gleaner.space.Lanes;
import io.gleaner.space.Refusals;
import io.gleaner.space.Reply;
import java.io.IOException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import net.jini.core.transaction.CannotAbortException;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.CannotJoinException;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.CrashCountException;
import net.jini.core.transaction.server.TransactionConstants;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction of the space with participants elsewhere. Its monitor is held for its own fields
 * only; everybody is called by threads of {@link Around}. The space's commit is the decision: as
 * long as the space does not say whether it has committed, nobody hears anything.
 */
final class Shared {
  private static final Logger LOG = LoggerFactory.getLogger(Shared.class);
  private static final long VOTE_SECONDS = 30;
  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /**
   * What all of one manager use.
   *
   * @param space threads that ask the space
   * @param peers threads that call participants
   * @param over hears of who has told everybody
   */
  record Around(
      Lanes lanes,
      SharedDecisions decisions,
      PeerCalls space,
      PeerCalls peers,
      Consumer<Shared> over) {}

  private final long transaction;
  private final TransactionManager manager;
  private final Around around;
  private final Map<TransactionParticipant, Long> participants = new LinkedHashMap<>();
  private final CompletableFuture<Integer> decided = new CompletableFuture<>();
  private final CompletableFuture<Void> unsure = new CompletableFuture<>();
  private final CompletableFuture<Void> told = new CompletableFuture<>();

  /** PREPARED from when the space is asked to commit until it has said whether it has. */
  private volatile int state = TransactionConstants.ACTIVE;

  Shared(long transaction, TransactionManager manager, Around around) {
    this.transaction = transaction;
    this.manager = manager;
    this.around = around;
  }

  long transaction() {
    return transaction;
  }

  /** ACTIVE, VOTING while it is not decided or that is not known, COMMITTED or ABORTED. */
  int state() {
    int now = state;
    return now == TransactionConstants.PREPARED ? TransactionConstants.VOTING : now;
  }

  static int stateInSpace(Lanes lanes, long transaction)
      throws UnknownTransactionException, RemoteException {
    Reply reply = lanes.ask(new Command.TransactionState(transaction));
    try {
      Refusals.ofTransaction(reply);
    } catch (CannotCommitException | CannotAbortException e) {
      throw new RemoteException("the state was refused", e);
    }
    return ((Reply.StateOf) reply).state();
  }

  synchronized void join(TransactionParticipant participant, long crashCount)
      throws CannotJoinException, CrashCountException {
    if (state != TransactionConstants.ACTIVE) {
      throw new CannotJoinException("the end of the transaction has begun");
    }
    Long before = participants.putIfAbsent(participant, crashCount);
    if (before != null && before != crashCount) {
      throw new CrashCountException(
          "the participant has crashed since it joined, and lost its part");
    }
  }

  private synchronized List<TransactionParticipant> participants() {
    return List.copyOf(participants.keySet());
  }

  /** Begins to prepare everybody and to decide, unless that has begun. */
  synchronized void commit() {
    if (state == TransactionConstants.ACTIVE) {
      state = TransactionConstants.VOTING;
      around.space().run(this::vote);
    }
  }

  private void vote() {
    if (!isSpacePrepared()) {
      decide(false);
      return;
    }
    List<CompletableFuture<Boolean>> votes = participants().stream().map(this::voteOf).toList();
    var unused =
        CompletableFuture.allOf(votes.toArray(CompletableFuture[]::new))
            .thenRun(
                () -> {
                  boolean willing = votes.stream().allMatch(CompletableFuture::join);
                  around.space().run(() -> decide(willing));
                });
  }

  private boolean isSpacePrepared() {
    try {
      around.decisions().write(manager, transaction, participants());
      Reply reply = around.lanes().ask(new Command.Prepare(transaction));
      return reply instanceof Reply.StateOf voted && voted.state() == TransactionConstants.PREPARED;
    } catch (TransactionException | IOException | RuntimeException e) {
      LOG.info("the space did not prepare transaction {}", transaction, e);
      return false;
    }
  }

  private CompletableFuture<Boolean> voteOf(TransactionParticipant participant) {
    CompletableFuture<Boolean> vote = new CompletableFuture<>();
    around.peers().run(() -> vote.complete(isPrepared(participant)));
    return vote.completeOnTimeout(false, VOTE_SECONDS, TimeUnit.SECONDS);
  }

  private boolean isPrepared(TransactionParticipant participant) {
    if (state != TransactionConstants.VOTING) {
      return false;
    }
    try {
      int vote = around.peers().patiently(() -> participant.prepare(manager, transaction));
      if (vote != TransactionConstants.PREPARED) {
        forget(participant);
      }
      return vote == TransactionConstants.PREPARED || vote == TransactionConstants.NOTCHANGED;
    } catch (Exception e) {
      LOG.info("a participant of transaction {} did not prepare", transaction, e);
      return false;
    }
  }

  /** Who voted too late is told all the same. */
  private synchronized void forget(TransactionParticipant participant) {
    if (state == TransactionConstants.VOTING) {
      participants.remove(participant);
    }
  }

  private void decide(boolean willing) {
    synchronized (this) {
      if (state != TransactionConstants.VOTING) {
        return;
      }
      state = willing ? TransactionConstants.PREPARED : TransactionConstants.ABORTED;
    }
    if (willing) {
      commitInSpace(FIRST_WAIT);
    } else {
      abortEverywhere();
    }
  }

  /** Asks until the answer is known. */
  private void commitInSpace(Duration wait) {
    int answer = askToCommit();
    if (answer == TransactionConstants.PREPARED) {
      unsure.complete(null);
      around.space().later(wait, () -> commitInSpace(longer(wait)));
      return;
    }
    synchronized (this) {
      state = answer;
    }
    decided.complete(answer);
    tellEverybody();
  }

  /** COMMITTED, ABORTED or, if that is not known, PREPARED. */
  private int askToCommit() {
    try {
      Reply reply = around.lanes().ask(new Command.Commit(transaction));
      if (!(reply instanceof Reply.Refused refused)) {
        return TransactionConstants.COMMITTED;
      }
      switch (refused.code()) {
        case CANNOT_COMMIT -> {
          return TransactionConstants.ABORTED;
        }
        case UNKNOWN_TRANSACTION -> {
          return around.decisions().isCommitted(transaction)
              ? TransactionConstants.COMMITTED
              : TransactionConstants.ABORTED;
        }
        default ->
            LOG.info(
                "whether transaction {} commits is asked again: {}",
                transaction,
                refused.message());
      }
    } catch (RemoteException | RuntimeException e) {
      LOG.info("whether transaction {} commits is asked again", transaction, e);
    }
    return TransactionConstants.PREPARED;
  }

  private static Duration longer(Duration wait) {
    Duration twice = wait.multipliedBy(2);
    return twice.compareTo(LONGEST_WAIT) < 0 ? twice : LONGEST_WAIT;
  }

  /** Aborts it unless the space was asked to commit. */
  void abort() {
    synchronized (this) {
      if (state != TransactionConstants.ACTIVE && state != TransactionConstants.VOTING) {
        return;
      }
      state = TransactionConstants.ABORTED;
    }
    abortEverywhere();
  }

  private void abortEverywhere() {
    tellEverybody();
    around.space().run(() -> abortInSpace(FIRST_WAIT));
  }

  private void abortInSpace(Duration wait) {
    boolean done = false;
    try {
      Reply reply = around.lanes().ask(new Command.Abort(transaction));
      done =
          !(reply instanceof Reply.Refused refused)
              || refused.code() == Reply.Refusal.UNKNOWN_TRANSACTION
              || refused.code() == Reply.Refusal.CANNOT_ABORT;
    } catch (RemoteException | RuntimeException e) {
      LOG.info("the space has not heard that transaction {} is aborted", transaction, e);
    }
    if (!done) {
      around.space().later(wait, () -> abortInSpace(longer(wait)));
    }
    decided.complete(TransactionConstants.ABORTED);
  }

  /** The space may have aborted it: its lease ran out. */
  void abortIfGone() {
    if (state == TransactionConstants.ACTIVE) {
      try {
        var unused = stateInSpace(around.lanes(), transaction);
      } catch (UnknownTransactionException e) {
        abort();
      } catch (RemoteException e) {
        LOG.info("the space does not say how transaction {} is", transaction, e);
      }
    }
  }

  /** It was committed before this process began, and these may not have heard. */
  synchronized void committedBefore(Collection<TransactionParticipant> untold) {
    untold.forEach(participant -> participants.put(participant, 0L));
    state = TransactionConstants.COMMITTED;
    decided.complete(state);
  }

  /** Tells the decision to who has not heard; each by a thread of its own, until it has heard. */
  void tellEverybody() {
    List<TransactionParticipant> all = participants();
    all.forEach(participant -> around.peers().run(() -> tell(participant, FIRST_WAIT)));
    if (all.isEmpty()) {
      over();
    }
  }

  private void tell(TransactionParticipant participant, Duration wait) {
    if (!hears(participant)) {
      around.peers().later(wait, () -> tell(participant, longer(wait)));
      return;
    }
    boolean last;
    synchronized (this) {
      last = participants.remove(participant) != null && participants.isEmpty();
    }
    if (last) {
      over();
    }
  }

  private void over() {
    around.over().accept(this);
    told.complete(null);
    if (state == TransactionConstants.COMMITTED) {
      around.space().run(() -> forgetDecision(FIRST_WAIT));
    }
  }

  private void forgetDecision(Duration wait) {
    try {
      around.decisions().forget(transaction);
    } catch (RemoteException | RuntimeException e) {
      LOG.info("that transaction {} is told is not written yet", transaction, e);
      around.space().later(wait, () -> forgetDecision(longer(wait)));
    }
  }

  private boolean hears(TransactionParticipant participant) {
    try {
      return around
          .peers()
          .patiently(
              () -> {
                if (state == TransactionConstants.COMMITTED) {
                  participant.commit(manager, transaction);
                } else {
                  participant.abort(manager, transaction);
                }
                return true;
              });
    } catch (UnknownTransactionException | NoSuchObjectException e) {
      return true;
    } catch (Exception e) {
      LOG.info("a participant of transaction {} has not heard its end yet", transaction, e);
      return false;
    }
  }

  /** The state when it is decided, or the time is over; if asked so, also when that is unsure. */
  int awaitDecision(long millis, boolean untilUnsure) {
    await(untilUnsure ? CompletableFuture.anyOf(decided, unsure) : decided, millis);
    return decided.getNow(TransactionConstants.VOTING);
  }

  boolean awaitTold(long millis) {
    await(told, millis);
    return told.isDone();
  }

  private static void await(CompletableFuture<?> what, long millis) {
    try {
      var unused = what.get(Math.max(0, millis), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.debug("not yet", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.gleaner.maker;

import io.gleaner.ledger.Ledger;
import io.gleaner.ledger.LedgerException;
import io.gleaner.tuple.LeaderEntry;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership, fenced by its epoch. Used by the market-maker's thread only.
 *
 * <p>Taking office commits {@code LeaderEntry(epoch + 1, holder)} in a transaction of its own, with
 * a lease: when it has run out the office is vacant. Every plan reads the entry by its exact epoch
 * and holder in its own transaction, so a leader that slept past its term can do nothing. Two that
 * find the office vacant at once both see both entries afterwards: the lesser one withdraws and the
 * greater one takes office again, which removes what the other wrote.
 */
final class Office {
  private static final Logger LOG = LoggerFactory.getLogger(Office.class);
  private static final Duration TRANSACTION_LEASE = Duration.ofSeconds(10);
  private static final Comparator<LeaderEntry> GREATER =
      Comparator.comparing((LeaderEntry entry) -> entry.epoch).thenComparing(entry -> entry.holder);

  private record Term(long epoch, Lease lease) {}

  private final Tuples tuples;
  private final Ledger ledger;
  private final String holder;
  private final Duration length;
  private Optional<Term> term = Optional.empty();

  Office(Tuples tuples, Ledger ledger, String holder, Duration length) {
    this.tuples = tuples;
    this.ledger = ledger;
    this.holder = holder;
    this.length = length;
  }

  boolean held() {
    return term.isPresent();
  }

  /** The epoch of this term, or 0 out of office. */
  long epoch() {
    return term.map(Term::epoch).orElse(0L);
  }

  /** Takes the office if it is vacant; answers whether it is held now. */
  boolean takeIfVacant() {
    if (tuples.read(LeaderEntry.class, new LeaderEntry(), null).isPresent()) {
      return false;
    }
    Term taken = take();
    List<LeaderEntry> leaders = leaders();
    while (leaders.size() != 1 || !isOf(leaders.get(0), taken)) {
      Optional<LeaderEntry> greatest = leaders.stream().max(GREATER);
      if (greatest.isEmpty() || !isOf(greatest.get(), taken)) {
        withdraw(taken.epoch());
        return false;
      }
      taken = take();
      leaders = leaders();
    }
    try {
      ledger.beginEpoch(taken.epoch());
    } catch (LedgerException e) {
      LOG.info("office not taken by {}: {}", holder, e.getMessage());
      withdraw(taken.epoch());
      return false;
    }
    term = Optional.of(taken);
    LOG.info("{} took office with epoch {}", holder, taken.epoch());
    return true;
  }

  private boolean isOf(LeaderEntry entry, Term own) {
    return entry.holder.equals(holder) && entry.epoch == own.epoch();
  }

  private Term take() {
    return tuples.inTransaction(
        TRANSACTION_LEASE,
        transaction -> {
          long highest = ledger.epoch();
          Optional<LeaderEntry> before;
          do {
            before = tuples.take(LeaderEntry.class, new LeaderEntry(), transaction);
            highest = Math.max(highest, before.map(entry -> entry.epoch).orElse(0L));
          } while (before.isPresent());
          LeaderEntry entry = entry(highest + 1);
          return new Term(entry.epoch, tuples.write(entry, transaction, length));
        });
  }

  private List<LeaderEntry> leaders() {
    return tuples.all(LeaderEntry.class, new LeaderEntry());
  }

  private LeaderEntry entry(long epoch) {
    LeaderEntry entry = new LeaderEntry();
    entry.epoch = epoch;
    entry.holder = holder;
    return entry;
  }

  private void withdraw(long epoch) {
    tuples.take(LeaderEntry.class, entry(epoch), null);
  }

  /**
   * Reads the own entry in the transaction, so that it can commit only while this term lasts.
   *
   * @throws MakerException NOT_IN_OFFICE if the term is over; the office is left then
   */
  void lock(Transaction transaction) {
    if (term.isEmpty() || tuples.read(LeaderEntry.class, entry(epoch()), transaction).isEmpty()) {
      throw over();
    }
  }

  /**
   * Begins the term's lease anew.
   *
   * @throws MakerException NOT_IN_OFFICE if it had run out; the office is left then
   */
  void renew() {
    try {
      term.orElseThrow(this::over).lease().renew(length.toMillis());
    } catch (UnknownLeaseException | LeaseDeniedException e) {
      throw over();
    } catch (RemoteException e) {
      throw new MakerException(
          MakerException.Code.SPACE, "the space did not renew the office: " + e.getMessage(), e);
    }
  }

  private MakerException over() {
    long epoch = epoch();
    term = Optional.empty();
    return new MakerException(
        MakerException.Code.NOT_IN_OFFICE,
        holder + " is not in office any more: its epoch " + epoch + " is over");
  }

  /** Gives the office up, so that another can take it at once. */
  void leave() {
    if (term.isPresent()) {
      long epoch = epoch();
      term = Optional.empty();
      withdraw(epoch);
      LOG.info("{} left office, epoch {} is over", holder, epoch);
    }
  }
}

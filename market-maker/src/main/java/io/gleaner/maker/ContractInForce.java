package io.gleaner.maker;

import io.gleaner.book.Contract;
import io.gleaner.tuple.ContractEntry;
import java.time.Duration;
import java.time.Instant;
import net.jini.core.lease.Lease;

/**
 * One contract as the market-maker knows it. Times are on the monotonic clock, so that a wall clock
 * may jump. Used by the market-maker's thread only.
 */
final class ContractInForce {
  private final ContractEntry entry;
  private final Lease lease;
  private final long awardedNanos;
  private ContractState state;
  private long quantumBeganNanos;
  private long renewedNanos;
  private long lastAttemptNanos;

  /** A contract that was just written. */
  ContractInForce(ContractEntry entry, Lease lease, ContractState state, long nanos) {
    this(entry, lease, state, nanos, nanos, nanos);
  }

  private ContractInForce(
      ContractEntry entry,
      Lease lease,
      ContractState state,
      long awardedNanos,
      long quantumBeganNanos,
      long nanos) {
    this.entry = entry;
    this.lease = lease;
    this.state = state;
    this.awardedNanos = awardedNanos;
    this.quantumBeganNanos = quantumBeganNanos;
    this.renewedNanos = nanos;
    this.lastAttemptNanos = nanos;
  }

  /** The same contract after it was written again with other slots or another epoch. */
  ContractInForce rewritten(ContractEntry next, Lease nextLease, long nanos) {
    return new ContractInForce(next, nextLease, state, awardedNanos, quantumBeganNanos, nanos);
  }

  /** Follows the table of {@link ContractState}. */
  void on(ContractState.Event event, long nanos) {
    ContractState before = state;
    state = ContractState.TRANSITIONS.require(before, event);
    if (event == ContractState.Event.WON_AGAIN
        || (before == ContractState.OFFERED && state == ContractState.RUNNING)) {
      quantumBeganNanos = nanos;
    }
    if (event == ContractState.Event.ATTEMPT_SEEN || event == ContractState.Event.RELEASED) {
      lastAttemptNanos = nanos;
    }
  }

  /** Whether nothing ran under it for this long. */
  boolean quietFor(Duration time, long nanos) {
    return nanos - lastAttemptNanos >= time.toNanos();
  }

  /** Whether a third of its term has passed since its lease was renewed. */
  boolean renewalDue(Duration term, long nanos) {
    return nanos - renewedNanos >= term.toNanos() / 3;
  }

  void renewed(long nanos) {
    renewedNanos = nanos;
  }

  /** The contract as the book shows it. */
  Contract told(Duration quantum, Instant now, long nanos) {
    return new Contract(
        entry.contractId,
        entry.launcherId,
        entry.jobId,
        entry.slots,
        entry.microsPerUnit,
        now.minusNanos(nanos - awardedNanos),
        now.minusNanos(nanos - quantumBeganNanos).plus(quantum),
        state == ContractState.RUNNING);
  }

  ContractEntry entry() {
    return entry;
  }

  Lease lease() {
    return lease;
  }

  ContractState state() {
    return state;
  }
}

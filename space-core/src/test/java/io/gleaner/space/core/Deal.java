package io.gleaner.space.core;

import io.gleaner.space.Reply;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A transaction as its client sees it. */
final class Deal {

  enum Outcome {
    OPEN,
    COMMITTED,
    ABORTED
  }

  final long number;
  final long leaseEndsNanos;
  final Operation begun;
  boolean endAsked;
  boolean commitAsked;
  boolean prepareAsked;
  Outcome outcome = Outcome.OPEN;
  long endedStep = Long.MAX_VALUE;
  final Set<Tuple> written = new LinkedHashSet<>();
  final Set<Tuple> taken = new LinkedHashSet<>();
  final Set<Tuple> spent = new LinkedHashSet<>();
  final Map<Tuple, Integer> spendsAsked = new LinkedHashMap<>();

  Deal(long number, long leaseEndsNanos, Operation begun) {
    this.number = number;
    this.leaseEndsNanos = leaseEndsNanos;
    this.begun = begun;
  }

  /** Nobody asked for its end and its lease lasts. */
  boolean isActiveAt(long nanos) {
    return outcome == Outcome.OPEN && !endAsked && nanos < leaseEndsNanos;
  }

  /** What it has taken of others. */
  List<Tuple> spendable() {
    return taken.stream().filter(tuple -> tuple.writing.under != this).toList();
  }

  /** It may be prepared, and nobody has heard of a decision. */
  boolean isUndecided() {
    return prepareAsked && outcome == Outcome.OPEN;
  }

  boolean mayBeCommitted() {
    return outcome == Outcome.COMMITTED || (outcome == Outcome.OPEN && commitAsked);
  }

  /** Its client asked for a commit and never heard what came of it. */
  boolean isInDoubt() {
    return outcome == Outcome.OPEN && commitAsked;
  }

  /** Nobody heard how it ended: all of it happened or nothing. */
  void checkAtomic() {
    boolean happened = false;
    boolean didNot = false;
    for (Tuple tuple : written) {
      boolean found =
          tuple.takes.stream().anyMatch(take -> take.under != this)
              || tuple.reads.stream().anyMatch(read -> read.under != this);
      happened |= found;
      didNot |=
          !found
              && !taken.contains(tuple)
              && tuple.isEverlasting()
              && tuple.writing.truth instanceof Reply.Written;
    }
    for (Tuple tuple : taken) {
      boolean back = tuple.takes.stream().anyMatch(t -> t.under != this && t.isDone());
      didNot |= back;
      happened |= !back && tuple.isEverlasting() && tuple.writing.under != this;
    }
    Account.require(!(happened && didNot), () -> "half of a transaction happened: " + begun);
  }
}

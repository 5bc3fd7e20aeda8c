package io.gleaner.space.core;

/** A probe that waits in a bucket. */
final class Waiter {
  /** Smaller for those who came earlier. */
  final Long place;

  final Message.Probe probe;
  final Participation transaction;

  /** The locked entry because of which it may still find something that exists, or null. */
  Stored lock;

  Waiter(Long place, Message.Probe probe, Participation transaction) {
    this.place = place;
    this.probe = probe;
    this.transaction = transaction;
  }
}

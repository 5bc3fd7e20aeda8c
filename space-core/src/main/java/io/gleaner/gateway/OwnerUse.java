package io.gleaner.gateway;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What the links of one owner use together. Safe for all threads. */
final class OwnerUse {
  final String owner;
  final Intake intake;
  final Holding.OfOwner held;
  private final OwnerLimits limits;
  private final AtomicInteger operations = new AtomicInteger();
  private final AtomicLong requestBytes = new AtomicLong();

  /** How many links there are; guarded by the monitor of {@link Links}. */
  int links;

  OwnerUse(String owner, OwnerLimits limits, Intake.Total arriving, Holding.Total held) {
    this.owner = owner;
    this.intake = new Intake(limits.arrivingBytes(), arriving);
    this.held = new Holding.OfOwner(held);
    this.limits = limits;
  }

  /** The sentence with which one more link is refused, or empty. */
  Optional<String> linkRefusal() {
    return links < limits.links()
        ? Optional.empty()
        : Optional.of(
            owner
                + " has "
                + links
                + " connections, at most "
                + limits.links()
                + " are allowed; close some or ask the operator to raise the limit");
  }

  /**
   * Counts a request until {@link #answered}; or the sentence with which it is refused.
   *
   * @param times how often the limits: more for what may have been done already
   */
  Optional<String> asks(int bytes, int times) {
    long held = requestBytes.addAndGet(bytes);
    int waiting = operations.incrementAndGet();
    if (waiting <= times * (long) limits.operations() && held <= times * limits.requestBytes()) {
      return Optional.empty();
    }
    answered(bytes);
    return Optional.of(
        "the connections of "
            + owner
            + " have together "
            + (waiting - 1)
            + " unanswered operations with "
            + (held - bytes)
            + " bytes, at most "
            + limits.operations()
            + " with "
            + limits.requestBytes()
            + " are allowed; wait for answers");
  }

  /** Counts what is never refused until {@link #answered}. */
  void asks() {
    operations.incrementAndGet();
  }

  void answered(int bytes) {
    requestBytes.addAndGet(-bytes);
    operations.decrementAndGet();
  }

  int operations() {
    return operations.get();
  }

  long requestBytes() {
    return requestBytes.get();
  }
}

package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;

/** One operation of a session; the account notes what really came of it. */
final class Operation {
  final SimulatedClient client;
  final long session;
  final long sequence;
  final Command command;
  final Deal under;
  final long sentStep;
  final long sentNanos;
  Reply truth;
  Deal began;

  /** Whether it asks for what it waits for to be kept until it has a receipt. */
  private final boolean reserves;

  /** Its client is asleep: it never gives a receipt. */
  final boolean sleeps;

  /** Its client has heard what is reserved and says so. */
  boolean accepts;

  /** What a cell said is reserved for it. */
  Reply.Reserved reserved;

  long reservedNanos;

  /** By then what was reserved had gone back. */
  long backStep = Long.MAX_VALUE;

  Operation(SimulatedClient client, long sequence, Command command, Deal under) {
    this.client = client;
    this.session = client.session();
    this.sequence = sequence;
    this.command = command;
    this.under = under;
    this.sentStep = client.space().step();
    this.sentNanos = client.space().nanos();
    this.reserves =
        command instanceof Command.Match match
            && match.mayNeedReceipt()
            && client.space().chance(0.7);
    this.sleeps = reserves && client.space().chance(0.3);
  }

  Receipt receipt() {
    return accepts ? Receipt.GIVEN : asked();
  }

  /** What it said of a receipt when it was asked first. */
  Receipt asked() {
    return reserves ? Receipt.AWAITED : Receipt.NONE;
  }

  /** What was reserved for it is its own. */
  boolean isAccepted() {
    return reserved != null && truth instanceof Reply.Done;
  }

  boolean mayWait() {
    return command instanceof Command.Match match && match.timeoutMillis() > 0;
  }

  /** What it took is gone for good. */
  boolean isDone() {
    return under != null
        ? under.outcome == Deal.Outcome.COMMITTED
        : reserved == null || isAccepted();
  }

  @Override
  public String toString() {
    return session + "#" + sequence + " " + command + " -> " + truth;
  }
}

package io.gleaner.gateway;

import io.gleaner.space.Command;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that begins operations only when it is told to go on. */
final class SlowEngine extends PassingEngine {
  private final CompletableFuture<Void> gate = new CompletableFuture<>();
  private final AtomicInteger underWay = new AtomicInteger();

  SlowEngine(NodeEngine engine) {
    super(engine);
  }

  void goesOn() {
    gate.complete(null);
  }

  int underWay() {
    return underWay.get();
  }

  @Override
  public CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command, Receipt receipt) {
    underWay.incrementAndGet();
    return gate.thenCompose(
        open -> super.execute(session, sequence, lowestUnanswered, command, receipt));
  }
}

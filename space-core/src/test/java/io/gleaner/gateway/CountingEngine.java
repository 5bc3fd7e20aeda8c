package io.gleaner.gateway;

import io.gleaner.space.Command;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that tells what it was asked and what it answered. */
final class CountingEngine extends PassingEngine {
  private final AtomicInteger asked = new AtomicInteger();
  private final List<Reply> answers = new CopyOnWriteArrayList<>();

  CountingEngine(NodeEngine engine) {
    super(engine);
  }

  /** Operations that have reached the space. */
  int asked() {
    return asked.get();
  }

  List<Reply> answers() {
    return List.copyOf(answers);
  }

  @Override
  public CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command, Receipt receipt) {
    CompletableFuture<Reply> answer =
        super.execute(session, sequence, lowestUnanswered, command, receipt);
    asked.incrementAndGet();
    return answer.thenApply(
        reply -> {
          answers.add(reply);
          return reply;
        });
  }
}

package io.gleaner.gateway;

import io.gleaner.space.Command;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.SessionName;
import io.gleaner.space.SpaceEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** An engine that tells what it was asked and what it answered. */
final class CountingEngine implements NodeEngine {
  private final NodeEngine engine;
  private final AtomicInteger asked = new AtomicInteger();
  private final List<Reply> answers = new CopyOnWriteArrayList<>();

  CountingEngine(NodeEngine engine) {
    this.engine = engine;
  }

  /** Operations that have reached the space. */
  int asked() {
    return asked.get();
  }

  List<Reply> answers() {
    return List.copyOf(answers);
  }

  @Override
  public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
    return engine.open(holder, events);
  }

  @Override
  public CompletableFuture<Long> open(
      SessionName name, long tenure, boolean begins, Consumer<SpaceEvent> events) {
    return engine.open(name, tenure, begins, events);
  }

  @Override
  public void leave(long session, long tenure) {
    engine.leave(session, tenure);
  }

  @Override
  public CompletableFuture<Void> close(long session, long tenure) {
    return engine.close(session, tenure);
  }

  @Override
  public boolean outlivesNode() {
    return engine.outlivesNode();
  }

  @Override
  public CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command, Receipt receipt) {
    CompletableFuture<Reply> answer =
        engine.execute(session, sequence, lowestUnanswered, command, receipt);
    asked.incrementAndGet();
    return answer.thenApply(
        reply -> {
          answers.add(reply);
          return reply;
        });
  }

  @Override
  public CompletableFuture<Void> close(long session) {
    return engine.close(session);
  }

  @Override
  public void close() {
    engine.close();
  }
}

package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.SessionName;
import io.gleaner.space.SpaceEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An engine that hands everything on to another one. */
class PassingEngine implements NodeEngine {
  private final NodeEngine engine;

  PassingEngine(NodeEngine engine) {
    this.engine = engine;
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
  public CompletableFuture<List<EncodedEntry>> taken(
      String space, long transaction, EncodedEntry template) {
    return engine.taken(space, transaction, template);
  }

  @Override
  public boolean outlivesNode() {
    return engine.outlivesNode();
  }

  @Override
  public CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command, Receipt receipt) {
    return engine.execute(session, sequence, lowestUnanswered, command, receipt);
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

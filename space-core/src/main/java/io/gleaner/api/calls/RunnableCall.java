package io.gleaner.api.calls;

import io.gleaner.api.ComputationalTask;

/** A runnable as a call that answers with nothing. */
public record RunnableCall(Runnable work) implements ComputationalTask<Void> {

  @Override
  public Void call() {
    work.run();
    return null;
  }
}

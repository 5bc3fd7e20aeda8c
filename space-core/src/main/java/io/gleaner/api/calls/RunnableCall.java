package io.gleaner.api.calls;

import io.gleaner.api.ComputationalTask;

/** A runnable as a call that answers with a given value. */
public record RunnableCall<V>(Runnable work, V value) implements ComputationalTask<V> {

  @Override
  public V call() {
    work.run();
    return value;
  }
}

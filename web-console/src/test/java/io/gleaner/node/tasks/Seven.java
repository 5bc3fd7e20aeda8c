package io.gleaner.node.tasks;

import io.gleaner.api.ComputationalTask;

/** A call of a class that no other refers to. */
public final class Seven implements ComputationalTask<Integer> {
  private static final long serialVersionUID = 1L;

  @Override
  public Integer call() {
    return 7;
  }
}

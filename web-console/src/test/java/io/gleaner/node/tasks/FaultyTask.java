package io.gleaner.node.tasks;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import io.gleaner.api.TaskContext;

/** Fails for odd numbers, whoever runs it. */
public final class FaultyTask implements Task {

  @Override
  public byte[] run(Parameters parameters, TaskContext context) {
    int number = parameters.integer("number");
    if (number % 2 == 1) {
      System.out.println("about to fail for " + number);
      throw new IllegalStateException("odd numbers are beyond me: " + number);
    }
    return new byte[] {(byte) number};
  }
}

package io.gleaner.node.tasks;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import io.gleaner.api.TaskContext;
import java.nio.charset.StandardCharsets;

/** Squares a number after spinning for a while. */
public final class SquareTask implements Task {

  @Override
  public byte[] run(Parameters parameters, TaskContext context) {
    long number = parameters.longInteger("number");
    long untilNanos = System.nanoTime() + parameters.longInteger("spin_millis") * 1_000_000;
    double heat = number;
    while (System.nanoTime() < untilNanos) {
      heat = Math.sqrt(heat + 1);
    }
    context.progress(heat > 0 ? 1 : 0);
    return Long.toString(number * number).getBytes(StandardCharsets.UTF_8);
  }
}

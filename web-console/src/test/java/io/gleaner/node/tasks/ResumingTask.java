package io.gleaner.node.tasks;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import io.gleaner.api.TaskContext;
import java.util.concurrent.TimeUnit;

/** Takes long at first, and no time when it goes on from where an earlier run of it was. */
public final class ResumingTask implements Task {

  @Override
  public byte[] run(Parameters parameters, TaskContext context) throws InterruptedException {
    if (context.lastCheckpoint().isEmpty()) {
      context.checkpoint(new byte[] {1});
      TimeUnit.MILLISECONDS.sleep(parameters.longInteger("millis"));
    }
    return new byte[] {2};
  }
}

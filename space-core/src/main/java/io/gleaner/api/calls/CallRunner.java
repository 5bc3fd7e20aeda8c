package io.gleaner.api.calls;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import io.gleaner.api.TaskContext;
import io.gleaner.deserialising.Deserialiser;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.util.concurrent.Callable;

/**
 * The task that makes one call, in the child. What the call throws is its outcome and no fault of
 * the task: trying again would only throw again.
 */
public final class CallRunner implements Task {
  /** Parameter: the file with the calls. */
  public static final String CALLS = "calls";

  /** Parameter: which of them. */
  public static final String CALL = "call";

  @Override
  public byte[] run(Parameters parameters, TaskContext context) throws IOException {
    byte[] bytes = CallFile.read(context.input(CALLS), parameters.integer(CALL));
    try {
      Callable<?> call =
          (Callable<?>)
              // The program is the submitter's own and runs in its sandbox: all of it may come in.
              Deserialiser.read(
                  bytes,
                  info -> ObjectInputFilter.Status.UNDECIDED,
                  Thread.currentThread().getContextClassLoader());
      return CallOutcome.ofValue(call.call());
    } catch (Throwable thrown) {
      thrown.printStackTrace();
      return CallOutcome.ofThrown(thrown);
    }
  }
}

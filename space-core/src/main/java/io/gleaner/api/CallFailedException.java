package io.gleaner.api;

/**
 * What a call threw on the machine where it ran: its class and message, with its own stack trace.
 * The object itself does not travel. Found as the cause of an {@link
 * java.util.concurrent.ExecutionException}.
 */
public final class CallFailedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final String thrownClass;

  public CallFailedException(String thrownClass, String message, StackTraceElement[] trace) {
    super(message.isEmpty() ? thrownClass : thrownClass + ": " + message, null, true, true);
    this.thrownClass = thrownClass;
    setStackTrace(trace);
  }

  /** Name of the class that was thrown, for instance {@code java.io.IOException}. */
  public String thrownClass() {
    return thrownClass;
  }
}

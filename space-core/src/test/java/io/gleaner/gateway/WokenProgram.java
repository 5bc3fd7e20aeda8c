package io.gleaner.gateway;

import io.gleaner.space.Note;
import io.gleaner.space.OutcomeUnknownException;
import io.gleaner.space.TupleSpace;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import net.jini.core.event.EventRegistration;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;

/**
 * A program like any other: it has a transaction, a registration, a lease and a take that waits,
 * and says what has become of them when it is told to. Started as a {@link SleepyClient}.
 */
public final class WokenProgram {
  private static final long LONG_MILLIS = 3_600_000;

  private WokenProgram() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (GatewayConnection connection = SleepyClient.connect(arguments, input);
        TupleSpace space = connection.space("notes")) {
      Semaphore told = new Semaphore(0);
      EventRegistration registration =
          space.notify(new Note("seen", null), null, event -> told.release(), LONG_MILLIS, null);
      Lease lease = space.write(new Note("kept", 1), null, LONG_MILLIS);
      Transaction transaction = space.begin(Duration.ofHours(1)).transaction;
      space.take(new Note("held", null), transaction, LONG_MILLIS);
      CompletableFuture<String> waiting =
          CompletableFuture.supplyAsync(
              () -> outcome(() -> space.take(new Note("never", null), null, LONG_MILLIS)));
      System.out.println("asleep");

      input.readLine();

      System.out.println("waited " + waiting.get());
      System.out.println(
          "within " + outcome(() -> space.write(new Note("held", 2), transaction, LONG_MILLIS)));
      System.out.println("commit " + outcome(() -> commit(transaction)));
      System.out.println("events " + outcome(() -> renew(registration.getLease())));
      System.out.println("lease " + known(() -> renew(lease)));
      System.out.println("write " + known(() -> space.write(new Note("new", 3), null, 1)));
      System.out.println(
          "read " + known(() -> space.read(new Note("kept", null), null, LONG_MILLIS)));
      Transaction next = space.begin(Duration.ofHours(1)).transaction;
      space.take(new Note("held", null), next, LONG_MILLIS);
      System.out.println("next " + outcome(() -> commit(next)));
      space.notify(new Note("seen", null), null, event -> told.release(), LONG_MILLIS, null);
      space.write(new Note("seen", 4), null, LONG_MILLIS);
      System.out.println("told " + told.tryAcquire(60, TimeUnit.SECONDS));
    }
  }

  private static String commit(Transaction transaction) throws Exception {
    transaction.commit();
    return "committed";
  }

  private static String renew(Lease lease) throws Exception {
    lease.renew(LONG_MILLIS);
    return "renewed";
  }

  /** What comes of it if that is known; else of what is asked next. */
  private static String known(Callable<?> operation) {
    String first = outcome(operation);
    return first.equals(OutcomeUnknownException.class.getSimpleName()) ? outcome(operation) : first;
  }

  private static String outcome(Callable<?> operation) {
    try {
      return operation.call() == null ? "nothing" : "done";
    } catch (Exception e) {
      return e.getClass().getSimpleName();
    }
  }
}

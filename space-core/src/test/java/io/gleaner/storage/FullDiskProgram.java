package io.gleaner.storage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Appends to a journal one after the other and says so; says once that the journal is in trouble.
 * Its caller limits how long its files may be.
 */
final class FullDiskProgram {
  private FullDiskProgram() {}

  /** Arguments: folder, how many to append. */
  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[1]);
    Journal journal =
        Journal.open(
            TestStore.open(arguments[0]), new JournalSettings(1, 1 << 16, 1L << 40, 50), c -> {});
    Recovered start = new Recovered(journal, 1);
    String text = "0123456789".repeat(2_000);
    boolean told = false;
    for (int number = 1; number <= count; number++) {
      CompletableFuture<Void> durable =
          journal.append(0, start.epochs.get(0), number, Recovered.texts(number + ":" + text));
      while (!durable.isDone()) {
        if (!told && journal.trouble().isPresent()) {
          told = true;
          System.out.println("trouble after " + (number - 1));
        }
        LockSupport.parkNanos(1_000_000);
      }
      durable.join();
      System.out.println("durable 0 " + number);
    }
    System.out.println("done");
    // Without an end of its own: what counts is what is on disk by now.
    Runtime.getRuntime().halt(0);
  }
}

package io.gleaner.storage;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Appends to a journal from one thread for each cell, says so on its output after each, until it is
 * killed. Takes images meanwhile.
 */
final class AppendingProgram {
  private AppendingProgram() {}

  /** Arguments: folder or JDBC address, cells, bytes of the journal before images are wanted. */
  public static void main(String[] arguments) {
    int cells = Integer.parseInt(arguments[1]);
    long[] last = new long[cells];
    java.util.concurrent.ConcurrentLinkedQueue<Integer> wanted =
        new java.util.concurrent.ConcurrentLinkedQueue<>();
    Journal journal =
        Journal.open(
            TestStore.open(arguments[0]),
            new JournalSettings(cells, 1 << 16, Long.parseLong(arguments[2]), 100),
            wanted::add);
    Recovered start = new Recovered(journal, cells);
    for (int each = 0; each < cells; each++) {
      int cell = each;
      last[cell] = start.last.get(cell);
      new Thread(() -> append(journal, cell, start.epochs.get(cell), last, wanted)).start();
    }
  }

  private static void append(
      Journal journal, int cell, long epoch, long[] last, java.util.Queue<Integer> wanted) {
    while (true) {
      long number = ++last[cell];
      String text = cell + ":" + number + ":" + "x".repeat(ThreadLocalRandom.current().nextInt(99));
      journal.append(cell, epoch, number, Recovered.texts(text)).join();
      System.out.println("durable " + cell + " " + number);
      if (wanted.remove(cell)) {
        Checkpoint image = journal.checkpoint(cell, epoch, number);
        Recovered.texts("image ", "of ", number + "").forEach(image::part);
        image.complete();
      }
    }
  }
}

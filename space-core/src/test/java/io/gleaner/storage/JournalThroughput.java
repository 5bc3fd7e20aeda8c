package io.gleaner.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Measures durable appends of 150 bytes: the journal on H2, on PostgreSQL, and beside them an own
 * file that is appended to and forced (no owners, no images: what it could be at best).
 *
 * <p>Run by hand; arguments: seconds for each line, then which of {@code file server segment}.
 */
final class JournalThroughput {
  private static final int[] APPENDERS = {1, 4, 16, 64};
  private static final int RECORD_BYTES = 150;

  private JournalThroughput() {}

  private interface Log extends AutoCloseable {
    CompletableFuture<Void> append(int appender, byte[] record);

    @Override
    void close() throws IOException;
  }

  public static void main(String[] arguments) throws Exception {
    double seconds = Double.parseDouble(arguments[0]);
    System.out.printf(
        "%d processors, %s %s, records of %d bytes, load %s%n",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("java.version"),
        RECORD_BYTES,
        Files.readString(Path.of("/proc/loadavg")).strip());
    Path folder = Files.createTempDirectory("gleaner-throughput");
    for (String kind : List.of(arguments).subList(1, arguments.length)) {
      for (int appenders : APPENDERS) {
        try (Log log = open(kind, folder.resolve(kind + appenders))) {
          measure(kind, log, appenders, seconds);
        }
      }
    }
    System.exit(0);
  }

  private static Log open(String kind, Path folder) throws Exception {
    Files.createDirectories(folder);
    return kind.equals("segment")
        ? new Segment(folder.resolve("segment"))
        : new InJournal(TestStore.valueOf(kind.toUpperCase(java.util.Locale.ROOT)).in(folder));
  }

  private static void measure(String kind, Log log, int appenders, double seconds)
      throws InterruptedException {
    AtomicBoolean counting = new AtomicBoolean();
    AtomicBoolean ended = new AtomicBoolean();
    List<long[]> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < appenders; i++) {
      int appender = i;
      Thread thread = new Thread(() -> append(log, appender, counting, ended, all));
      threads.add(thread);
      thread.start();
    }
    TimeUnit.MILLISECONDS.sleep(1_000);
    counting.set(true);
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1000));
    counting.set(false);
    ended.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    long[] nanos = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    System.out.printf(
        "%-8s %2d appenders %7.0f appends/s = %6.0f pairs/s, p50 %5d us, p99 %6d us%n",
        kind,
        appenders,
        nanos.length / seconds,
        nanos.length / seconds / 2,
        nanos[nanos.length / 2] / 1000,
        nanos[(int) (nanos.length * 0.99)] / 1000);
  }

  private static void append(
      Log log, int appender, AtomicBoolean counting, AtomicBoolean ended, List<long[]> all) {
    long[] nanos = new long[1 << 20];
    int count = 0;
    while (!ended.get()) {
      long begin = System.nanoTime();
      log.append(appender, new byte[RECORD_BYTES]).join();
      if (counting.get() && count < nanos.length) {
        nanos[count++] = System.nanoTime() - begin;
      }
    }
    synchronized (all) {
      all.add(Arrays.copyOf(nanos, count));
    }
  }

  private static final class InJournal implements Log {
    private final Database database;
    private final Journal journal;
    private final Recovered start;
    private final long[] last = new long[64];

    InJournal(String place) {
      database = TestStore.open(place);
      journal = Journal.open(database, JournalSettings.of(64), cell -> {});
      start = new Recovered(journal, 64);
    }

    @Override
    public CompletableFuture<Void> append(int appender, byte[] record) {
      return journal.append(
          appender, start.epochs.get(appender), ++last[appender], List.of(record));
    }

    @Override
    public void close() {
      journal.close();
      database.close();
    }
  }

  private static final class Segment implements Log {
    private record Waiting(byte[] record, CompletableFuture<Void> durable) {}

    private final FileChannel file;
    private final LinkedBlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "segment");

    Segment(Path path) throws IOException {
      file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      thread.start();
    }

    @Override
    public CompletableFuture<Void> append(int appender, byte[] record) {
      Waiting one = new Waiting(record, new CompletableFuture<>());
      waiting.add(one);
      return one.durable();
    }

    private void run() {
      ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
      List<Waiting> batch = new ArrayList<>();
      try {
        while (true) {
          batch.add(waiting.take());
          waiting.drainTo(batch, 1_000);
          batch.forEach(one -> bytes.putInt(one.record().length).put(one.record()));
          bytes.flip();
          while (bytes.hasRemaining()) {
            file.write(bytes);
          }
          file.force(false);
          batch.forEach(one -> one.durable().complete(null));
          batch.clear();
          bytes.clear();
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() throws IOException {
      thread.interrupt();
      file.close();
    }
  }
}

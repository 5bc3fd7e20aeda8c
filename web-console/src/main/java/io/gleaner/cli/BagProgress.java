package io.gleaner.cli;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Progress of one bag: a bar with an estimate on a terminal, a line every few seconds elsewhere.
 * Not for sharing between threads.
 */
final class BagProgress implements AutoCloseable {
  private static final long LINE_EVERY_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int BAR_WIDTH = 100;
  private final PrintStream out;
  private final String name;
  private final int tasks;
  private final ProgressBar bar;
  private final long startNanos = System.nanoTime();
  private long lastLineNanos = startNanos;
  private int lastDone = -1;

  BagProgress(PrintStream out, String name, int tasks) {
    this.out = out;
    this.name = name;
    this.tasks = tasks;
    this.bar =
        !Boolean.getBoolean("gleaner.terminal")
            ? null
            : new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(tasks)
                .setStyle(ProgressBarStyle.ASCII)
                .setMaxRenderedLength(BAR_WIDTH)
                .setUpdateIntervalMillis(200)
                .setConsumer(new ConsoleProgressBarConsumer(out))
                .build();
  }

  static BagProgress onStandardError(String name, int tasks) {
    return new BagProgress(System.err, name, tasks);
  }

  void show(int done, String note) {
    if (bar != null) {
      bar.stepTo(done);
      bar.setExtraMessage(note);
      return;
    }
    long now = System.nanoTime();
    if (done != lastDone && (done == tasks || now - lastLineNanos >= LINE_EVERY_NANOS)) {
      lastLineNanos = now;
      lastDone = done;
      out.println(line(done, Duration.ofNanos(now - startNanos), note));
    }
  }

  private String line(int done, Duration elapsed, String note) {
    String left =
        done == 0 || done == tasks
            ? ""
            : ", about "
                + Terminal.clock(elapsed.multipliedBy(tasks - done).dividedBy(done))
                + " left";
    return "%s %3d%% %d/%d tasks, %s%s  %s"
        .formatted(name, 100L * done / tasks, done, tasks, Terminal.clock(elapsed), left, note)
        .stripTrailing();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}

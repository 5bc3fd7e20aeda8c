package io.gleaner.space.hosting;

import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationservice.OperationService;
import io.gleaner.leasing.Ticker;
import java.util.function.Supplier;

/** What the hosts of all cells of a member share. Safe for all threads. */
record Hosting(
    OperationService partitions,
    Roster roster,
    Post post,
    Outlet outlet,
    Browsing browsing,
    Alarms alarms,
    Keeping keeping,
    Claims claims,
    Ticker ticker,
    Supplier<String> loss) {

  /** Runs a task on the thread of a cell. */
  void run(int cell, Runnable task) {
    partitions.execute(new Task(cell, task));
  }

  /** What those are told who ask for a cell that nobody has any more. */
  String lossMessage() {
    return loss.get();
  }

  private record Task(int cell, Runnable task) implements PartitionSpecificRunnable {
    @Override
    public int getPartitionId() {
      return cell;
    }

    @Override
    public void run() {
      task.run();
    }
  }
}

package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who else runs, and the cores that everybody but this launcher uses: {@code /proc/stat} minus the
 * launcher's own process tree from {@code /proc/<pid>/stat}, between two readings; one thread reads
 * it.
 *
 * <p>The time of children that ended is in their parent's account, so nothing is lost when one
 * dies. Time that a hypervisor takes is nobody's work on this machine.
 */
final class LoadSensor implements Sensor<Others> {
  private static final Logger LOG = LoggerFactory.getLogger(LoadSensor.class);
  private static final long LEAST_TICKS = 20;

  private final SystemRoot root;
  private final long ownPid;
  private Sample last;

  /** Clock ticks so far. */
  private record Sample(long total, long busy, Mine mine, int cores) {}

  /** Clock ticks of the launcher's tree, and the names of everybody else. */
  private record Mine(long ticks, Set<String> others) {}

  /** One line of {@code /proc/<pid>/stat}. */
  private record Account(long parent, long ticks, String name) {}

  LoadSensor(SystemRoot root, long ownPid) {
    this.root = root;
    this.ownPid = ownPid;
  }

  @Override
  public Reading<Others> read() {
    Sample now;
    try {
      now = sample();
    } catch (IOException | RuntimeException e) {
      return Reading.unknown("the processor load cannot be read: " + e);
    }
    if (last == null) {
      last = now;
      return Reading.unknown("the load is known from the second reading on");
    }
    double ticks = (double) (now.total - last.total) / now.cores;
    if (ticks < LEAST_TICKS) {
      return Reading.unknown("two readings of the load lie too close together");
    }
    double others = (now.busy - last.busy) - (now.mine.ticks - last.mine.ticks);
    last = now;
    return Reading.known(new Others(Math.max(0.0, others / ticks), now.mine.others));
  }

  private Sample sample() throws IOException {
    long total = 0;
    long busy = 0;
    int cores = 0;
    for (String line : Files.readAllLines(root.at("proc/stat"))) {
      if (line.startsWith("cpu ")) {
        // user nice system idle iowait irq softirq steal (guest is part of user)
        String[] ticks = line.substring(4).strip().split(" +");
        for (int i = 0; i < Math.min(8, ticks.length); i++) {
          long value = Long.parseLong(ticks[i]);
          total += value;
          busy += i == 3 || i == 4 || i == 7 ? 0 : value;
        }
      } else if (line.startsWith("cpu")) {
        cores++;
      }
    }
    if (cores == 0) {
      throw new IOException("proc/stat names no processor");
    }
    return new Sample(total, busy, mine(), cores);
  }

  private Mine mine() throws IOException {
    Map<Long, Account> accounts = new HashMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(root.at("proc"), "[0-9]*")) {
      for (Path process : all) {
        try {
          String line = Files.readString(process.resolve("stat"));
          // the name in parentheses may hold anything; fields 4 (parent) and 14 to 17 follow it
          String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
          long ticks = 0;
          for (int i = 11; i <= 14; i++) {
            ticks += Long.parseLong(fields[i]);
          }
          long pid = Long.parseLong(process.getFileName().toString());
          String name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'));
          accounts.put(pid, new Account(Long.parseLong(fields[1]), ticks, name));
        } catch (IOException gone) {
          LOG.trace("a process ended while it was read", gone);
        }
      }
    }
    long ticks = 0;
    Set<String> others = new HashSet<>();
    for (Map.Entry<Long, Account> entry : accounts.entrySet()) {
      if (isOwn(entry.getKey(), accounts)) {
        ticks += entry.getValue().ticks();
      } else {
        others.add(entry.getValue().name());
      }
    }
    return new Mine(ticks, others);
  }

  private boolean isOwn(long pid, Map<Long, Account> accounts) {
    Set<Long> seen = new HashSet<>();
    for (long p = pid; p > 1 && seen.add(p); ) {
      if (p == ownPid) {
        return true;
      }
      Account account = accounts.get(p);
      p = account == null ? 0 : account.parent();
    }
    return false;
  }
}

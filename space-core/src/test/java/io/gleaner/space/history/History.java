package io.gleaner.space.history;

import io.gleaner.space.TupleSpace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What clients asked of a space and what they were answered, in the order of calls and returns;
 * afterwards it says whether some order of single steps explains all of it. Safe for all threads.
 *
 * <p>Operations on different keys are judged apart, unless a transaction that may have committed
 * joins their keys: keep such groups of keys small. How to use it: {@link #client} around each
 * client of the space, any work on any threads, {@link RecordingClient#drain} once all is quiet,
 * then {@link #check}.
 */
public final class History {
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final Set<String> keys = new ConcurrentSkipListSet<>();
  private final Set<String> reasons = new ConcurrentSkipListSet<>();
  private final AtomicLong moments = new AtomicLong();
  private final AtomicInteger entries = new AtomicInteger();

  /** A client that does what it is told on the space and records it. */
  public RecordingClient client(String name, TupleSpace space, Kind kind) {
    return new RecordingClient(this, name, space, kind);
  }

  long moment() {
    return moments.incrementAndGet();
  }

  int newEntry() {
    return entries.incrementAndGet();
  }

  void uses(String key) {
    keys.add(key);
  }

  Set<String> keys() {
    return new TreeSet<>(keys);
  }

  void add(String client, Act act, long called, long returned) {
    operations.add(new Operation(client, act, called, returned));
  }

  void lost(Exception reason) {
    reasons.add(String.valueOf(reason.getMessage()));
  }

  /** Why outcomes are not known, each reason once. */
  public Set<String> lossReasons() {
    return new TreeSet<>(reasons);
  }

  /** Operations recorded so far. */
  public int size() {
    return operations.size();
  }

  /** Operations whose outcome is not known. */
  public long unknown() {
    return operations.stream().filter(each -> !each.isAnswered()).count();
  }

  /** Empty if the history can be explained, else the first part of it that cannot. */
  public Optional<String> problem() {
    for (List<Operation> component : components()) {
      Optional<String> problem = new Linearization(withoutUnseenWrites(component)).problem();
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  /**
   * Fails with the part of the history that no order explains.
   *
   * @throws AssertionError if there is one
   */
  public void check() {
    problem()
        .ifPresent(
            problem -> {
              throw new AssertionError(problem);
            });
  }

  /** A write without an answer of which nobody ever saw the entry may as well not have been. */
  private static List<Operation> withoutUnseenWrites(List<Operation> component) {
    Set<Integer> seen = new HashSet<>();
    for (Operation each : component) {
      if (each.act() instanceof Act.Take take) {
        take.found().ifPresent(seen::add);
      } else if (each.act() instanceof Act.Read read) {
        read.found().ifPresent(seen::add);
      }
    }
    return component.stream()
        .filter(
            each ->
                each.isAnswered()
                    || !(each.act() instanceof Act.Write write)
                    || seen.contains(write.entry()))
        .toList();
  }

  /** Groups of operations that have neither a key nor a transaction that ended in common. */
  private Collection<List<Operation>> components() {
    Groups groups = new Groups();
    Set<Long> mayCommit = new HashSet<>();
    for (Operation each : operations) {
      if (each.act() instanceof Act.Commit commit) {
        mayCommit.add(commit.transaction());
      } else if (each.act() instanceof Act.LostCommit commit) {
        mayCommit.add(commit.transaction());
      }
    }
    for (Operation each : operations) {
      long transaction = transactionOf(each.act());
      String key = keyOf(each.act());
      if (key != null && mayCommit.contains(transaction)) {
        groups.join(key, "transaction " + transaction);
      }
    }
    Map<String, List<Operation>> byGroup = new HashMap<>();
    for (Operation each : operations) {
      String key = keyOf(each.act());
      String name = key == null ? "transaction " + transactionOf(each.act()) : key;
      byGroup.computeIfAbsent(groups.of(name), group -> new ArrayList<>()).add(each);
    }
    return byGroup.values();
  }

  private static String keyOf(Act act) {
    if (act instanceof Act.Write write) {
      return write.key();
    } else if (act instanceof Act.Take take) {
      return take.key();
    } else if (act instanceof Act.LostTake take) {
      return take.key();
    } else if (act instanceof Act.Read read) {
      return read.key();
    } else if (act instanceof Act.Release release) {
      return release.key();
    } else if (act instanceof Act.Hide hide) {
      return hide.key();
    } else if (act instanceof Act.Show show) {
      return show.key();
    }
    return null;
  }

  private static long transactionOf(Act act) {
    if (act instanceof Act.Write write) {
      return write.transaction();
    } else if (act instanceof Act.Take take) {
      return take.transaction();
    } else if (act instanceof Act.LostTake take) {
      return take.transaction();
    } else if (act instanceof Act.Read read) {
      return read.transaction();
    } else if (act instanceof Act.Commit commit) {
      return commit.transaction();
    } else if (act instanceof Act.LostCommit commit) {
      return commit.transaction();
    } else if (act instanceof Act.Release release) {
      return release.transaction();
    }
    return 0;
  }

  /** Names that belong together. */
  private static final class Groups {
    private final Map<String, String> above = new HashMap<>();

    String of(String name) {
      String top = name;
      while (above.containsKey(top)) {
        top = above.get(top);
      }
      return top;
    }

    void join(String one, String other) {
      String first = of(one);
      String second = of(other);
      if (!first.equals(second)) {
        above.put(second, first);
      }
    }
  }
}

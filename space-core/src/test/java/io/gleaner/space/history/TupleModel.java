package io.gleaner.space.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The entries that a space holds and their locks, by the rules of JS.3.1; immutable. Every act is
 * one step to the states that it can lead to, to none if it cannot have happened now.
 */
record TupleModel(Map<Integer, Slot> slots) {
  static final TupleModel EMPTY = new TupleModel(Map.of());

  /** Has taken what is kept for a client; no transaction has this number. */
  private static final long HIDDEN = -1;

  /** An entry with the transactions that wrote, took and read it; 0 for none. */
  record Slot(String key, long writer, long taker, Set<Long> readers) {
    boolean isVisibleTo(long transaction) {
      return taker == 0 && (writer == 0 || writer == transaction);
    }

    boolean isTakeableBy(long transaction) {
      return isVisibleTo(transaction) && (readers.isEmpty() || readers.equals(Set.of(transaction)));
    }
  }

  /** Whether the act is a look that changes nothing, whatever the state. */
  static boolean isLook(Act act) {
    return (act instanceof Act.Take take && take.found().isEmpty())
        || (act instanceof Act.Read read && (read.found().isEmpty() || read.transaction() == 0));
  }

  /**
   * The states after the act.
   *
   * @param taken entries that other acts are known to take, so that a lost take did not
   */
  List<TupleModel> after(Act act, Set<Integer> taken) {
    if (act instanceof Act.Write write) {
      return List.of(with(write.entry(), new Slot(write.key(), write.transaction(), 0, Set.of())));
    } else if (act instanceof Act.Take take) {
      return take(take);
    } else if (act instanceof Act.Read read) {
      return read(read);
    } else if (act instanceof Act.LostTake take) {
      return lostTake(take, taken);
    } else if (act instanceof Act.Commit commit) {
      return List.of(committed(commit.transaction()));
    } else if (act instanceof Act.LostCommit commit) {
      return List.of(committed(commit.transaction()), aborted(commit.transaction(), key -> true));
    } else if (act instanceof Act.Hide hide) {
      return hide(hide);
    } else if (act instanceof Act.Show show) {
      return show(show);
    } else {
      Act.Release release = (Act.Release) act;
      return List.of(
          release.committed()
              ? unlocked(release.transaction(), release.key())
              : aborted(release.transaction(), release.key()::equals));
    }
  }

  private List<TupleModel> take(Act.Take take) {
    if (take.found().isEmpty()) {
      return none(take.key(), slot -> slot.isTakeableBy(take.transaction()));
    }
    Slot slot = slots.get(take.found().get());
    if (slot == null || !slot.key().equals(take.key()) || !slot.isTakeableBy(take.transaction())) {
      return List.of();
    }
    boolean own = slot.writer() != 0;
    return List.of(
        take.transaction() == 0 || own
            ? without(take.found().get())
            : with(
                take.found().get(), new Slot(slot.key(), 0, take.transaction(), slot.readers())));
  }

  private List<TupleModel> hide(Act.Hide hide) {
    Slot slot = slots.get(hide.entry());
    return slot != null && slot.isTakeableBy(0)
        ? List.of(with(hide.entry(), new Slot(slot.key(), 0, HIDDEN, Set.of())))
        : List.of();
  }

  private List<TupleModel> show(Act.Show show) {
    Slot slot = slots.get(show.entry());
    return slot != null && slot.taker() == HIDDEN
        ? List.of(with(show.entry(), new Slot(slot.key(), 0, 0, Set.of())))
        : List.of();
  }

  private List<TupleModel> read(Act.Read read) {
    if (read.found().isEmpty()) {
      return none(read.key(), slot -> slot.isVisibleTo(read.transaction()));
    }
    Slot slot = slots.get(read.found().get());
    if (slot == null || !slot.key().equals(read.key()) || !slot.isVisibleTo(read.transaction())) {
      return List.of();
    }
    if (read.transaction() == 0 || slot.writer() != 0) {
      return List.of(this);
    }
    Set<Long> readers = new HashSet<>(slot.readers());
    readers.add(read.transaction());
    return List.of(with(read.found().get(), new Slot(slot.key(), 0, 0, Set.copyOf(readers))));
  }

  private List<TupleModel> none(String key, Predicate<Slot> which) {
    return slots.values().stream().anyMatch(slot -> slot.key().equals(key) && which.test(slot))
        ? List.of()
        : List.of(this);
  }

  private List<TupleModel> lostTake(Act.LostTake take, Set<Integer> taken) {
    List<TupleModel> after = new ArrayList<>();
    slots.forEach(
        (entry, slot) -> {
          long by = take.transaction();
          if (slot.key().equals(take.key()) && slot.isTakeableBy(by)) {
            if (by != 0 && slot.writer() == 0) {
              after.add(with(entry, new Slot(slot.key(), 0, by, slot.readers())));
            } else if (!taken.contains(entry)) {
              after.add(without(entry));
            }
          }
        });
    return after;
  }

  private TupleModel committed(long transaction) {
    Map<Integer, Slot> after = new HashMap<>();
    slots.forEach(
        (entry, slot) -> {
          if (slot.writer() == transaction) {
            after.put(entry, new Slot(slot.key(), 0, 0, slot.readers()));
          } else if (slot.taker() != transaction) {
            after.put(entry, slot);
          }
        });
    return new TupleModel(after);
  }

  private TupleModel aborted(long transaction, Predicate<String> keys) {
    Map<Integer, Slot> after = new HashMap<>();
    slots.forEach(
        (entry, slot) -> {
          if (!keys.test(slot.key())) {
            after.put(entry, slot);
          } else if (slot.writer() != transaction) {
            long taker = slot.taker() == transaction ? 0 : slot.taker();
            after.put(
                entry,
                new Slot(slot.key(), slot.writer(), taker, less(slot.readers(), transaction)));
          }
        });
    return new TupleModel(after);
  }

  private TupleModel unlocked(long transaction, String key) {
    Map<Integer, Slot> after = new HashMap<>();
    slots.forEach(
        (entry, slot) ->
            after.put(
                entry,
                slot.key().equals(key)
                    ? new Slot(
                        slot.key(), slot.writer(), slot.taker(), less(slot.readers(), transaction))
                    : slot));
    return new TupleModel(after);
  }

  private static Set<Long> less(Set<Long> readers, long transaction) {
    if (!readers.contains(transaction)) {
      return readers;
    }
    Set<Long> rest = new HashSet<>(readers);
    rest.remove(transaction);
    return Set.copyOf(rest);
  }

  private TupleModel with(int entry, Slot slot) {
    Map<Integer, Slot> after = new HashMap<>(slots);
    after.put(entry, slot);
    return new TupleModel(after);
  }

  private TupleModel without(int entry) {
    Map<Integer, Slot> after = new HashMap<>(slots);
    after.remove(entry);
    return new TupleModel(after);
  }

  /** The entry that an act is known to take, if it takes one for good or under a transaction. */
  static Optional<Integer> takenBy(Act act) {
    return act instanceof Act.Take take ? take.found() : Optional.empty();
  }
}

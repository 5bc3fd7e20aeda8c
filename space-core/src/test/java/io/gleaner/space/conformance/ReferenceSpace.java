package io.gleaner.space.conformance;

import io.gleaner.space.Note;
import io.gleaner.space.UrgentNote;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import net.jini.core.lease.Lease;

/**
 * What a space would be if it were a list: notes by their numbers with the locks of JS.3.1, for
 * operations that do not wait. Transaction 0 is none.
 */
final class ReferenceSpace {
  private final Map<Integer, Kept> notes = new LinkedHashMap<>();

  /** A note with its lease and its locks. */
  static final class Kept {
    final Note note;
    final Lease lease;
    private int writer;
    private int taker;
    private final Set<Integer> readers = new HashSet<>();

    private Kept(Note note, Lease lease, int writer) {
      this.note = note;
      this.lease = lease;
      this.writer = writer;
    }

    private boolean isVisibleTo(int transaction) {
      return taker == 0 && (writer == 0 || writer == transaction);
    }

    private boolean isTakeableBy(int transaction) {
      return isVisibleTo(transaction) && (readers.isEmpty() || readers.equals(Set.of(transaction)));
    }
  }

  void write(Note note, Lease lease, int transaction) {
    notes.put(note.number, new Kept(note, lease, transaction));
  }

  /** Numbers of the notes that match the template, null for any, and can be read. */
  Set<Integer> readable(Note template, int transaction) {
    Set<Integer> found = new HashSet<>();
    notes.forEach(
        (number, kept) -> {
          if (kept.isVisibleTo(transaction) && matches(template, kept.note)) {
            found.add(number);
          }
        });
    return found;
  }

  /** As {@link #readable}, and can be taken. */
  Set<Integer> takeable(Note template, int transaction) {
    Set<Integer> found = readable(template, transaction);
    found.removeIf(number -> !notes.get(number).isTakeableBy(transaction));
    return found;
  }

  void read(int number, int transaction) {
    Kept kept = notes.get(number);
    if (transaction != 0 && kept.writer != transaction) {
      kept.readers.add(transaction);
    }
  }

  void take(int number, int transaction) {
    Kept kept = notes.get(number);
    if (transaction == 0 || kept.writer == transaction) {
      notes.remove(number);
    } else {
      kept.taker = transaction;
    }
  }

  void end(int transaction, boolean committed) {
    List<Integer> gone = new ArrayList<>();
    notes.forEach(
        (number, kept) -> {
          kept.readers.remove(transaction);
          if (kept.writer == transaction) {
            kept.writer = 0;
            if (!committed) {
              gone.add(number);
            }
          } else if (kept.taker == transaction) {
            kept.taker = 0;
            if (committed) {
              gone.add(number);
            }
          }
        });
    gone.forEach(notes::remove);
  }

  /** Notes that nobody has locked, whose leases may be cancelled. */
  List<Kept> free() {
    return notes.values().stream().filter(kept -> kept.isTakeableBy(0)).toList();
  }

  void cancel(Kept kept) {
    notes.remove(kept.note.number);
  }

  private static boolean matches(Note template, Note note) {
    if (template == null) {
      return true;
    }
    boolean urgent =
        !(template instanceof UrgentNote wanted)
            || (note instanceof UrgentNote found
                && (wanted.by == null || Objects.equals(wanted.by, found.by)));
    return urgent
        && (template.topic == null || template.topic.equals(note.topic))
        && (template.number == null || template.number.equals(note.number));
  }
}

package io.gleaner.space.conformance;

import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.Note;
import io.gleaner.space.UrgentNote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.space.MatchSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/**
 * Any sequence of operations of one client, alone and under up to three transactions at a time,
 * gives what the reference gives, here, through the gateway and on Outrigger. {@code
 * -Dgleaner.history=1000} does a thousand times as much.
 */
@Timeout(600)
@SuppressWarnings({"unchecked", "rawtypes"}) // the interface is older than generics
class ModelTest {
  private static final int RUNS = 4 * Integer.getInteger("gleaner.history", 1);
  private static final long MINUTE = 60_000;

  private final ReferenceSpace reference = new ReferenceSpace();
  private final Transaction[] open = new Transaction[4];
  private final int[] numbers = new int[4];
  private int transactions;
  private int notes;
  private Random random;
  private SpaceUnderTest at;

  @Conformance
  @Tag("F1")
  void anySequenceOfOperationsGivesWhatTheReferenceGives(SpaceUnderTest space) throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("ModelTest gleaner.seed=" + seed + " at " + space.place());
    at = space;
    for (int run = 0; run < RUNS; run++) {
      random = new Random(seed + run);
      for (int i = 0; i < 150; i++) {
        once();
      }
      for (int slot = 1; slot < open.length; slot++) {
        end(slot, random.nextBoolean());
      }
      takesEverything();
    }
  }

  private void once() throws Exception {
    int slot = random.nextInt(open.length);
    switch (random.nextInt(13)) {
      case 0, 1, 2 -> write(slot);
      case 3 -> writeSome(slot);
      case 4, 5 -> take(slot);
      case 6, 7 -> read(slot);
      case 8 -> takeSome(slot);
      case 9 -> list(slot);
      case 10 -> cancel();
      default -> beginOrEnd(slot);
    }
  }

  private void write(int slot) throws Exception {
    Note note = note();
    Entry written = random.nextInt(4) == 0 ? at.space.snapshot(note) : note;
    reference.write(note, at.space.write(written, open[slot], lease()), numbers[slot]);
  }

  private void writeSome(int slot) throws Exception {
    List<Entry> some = List.of(note(), note(), note());
    List<Lease> leases = at.space.write(some, open[slot], Collections.nCopies(3, MINUTE));
    for (int i = 0; i < some.size(); i++) {
      reference.write((Note) some.get(i), leases.get(i), numbers[slot]);
    }
  }

  private long lease() {
    return random.nextBoolean() ? Lease.FOREVER : random.nextBoolean() ? Lease.ANY : MINUTE;
  }

  private Note note() {
    String topic = "topic" + random.nextInt(3);
    notes++;
    return random.nextBoolean()
        ? new Note(topic, notes)
        : new UrgentNote(topic, notes, random.nextBoolean() ? "ada" : null);
  }

  private Note template() {
    String topic = random.nextBoolean() ? "topic" + random.nextInt(4) : null;
    return switch (random.nextInt(4)) {
      case 0 -> new UrgentNote(topic, null, random.nextBoolean() ? "ada" : null);
      case 1 -> new Note(topic, random.nextInt(3) == 0 ? random.nextInt(notes + 1) : null);
      case 2 -> null;
      default -> new Note(topic, null);
    };
  }

  private void take(int slot) throws Exception {
    Note template = template();
    Set<Integer> expected = reference.takeable(template, numbers[slot]);
    Note found =
        (Note)
            (random.nextBoolean()
                ? at.space.take(template, open[slot], NO_WAIT)
                : at.space.takeIfExists(template, open[slot], NO_WAIT));
    agrees(found, expected);
    if (found != null) {
      reference.take(found.number, numbers[slot]);
    }
  }

  private void read(int slot) throws Exception {
    Note template = template();
    Set<Integer> expected = reference.readable(template, numbers[slot]);
    Entry used = random.nextInt(4) == 0 ? at.space.snapshot(template) : template;
    Note found =
        (Note)
            (random.nextBoolean()
                ? at.space.read(used, open[slot], NO_WAIT)
                : at.space.readIfExists(used, open[slot], NO_WAIT));
    agrees(found, expected);
    if (found != null) {
      reference.read(found.number, numbers[slot]);
    }
  }

  private static void agrees(Note found, Set<Integer> expected) {
    if (found == null) {
      assertThat(expected).isEmpty();
    } else {
      assertThat(expected).contains(found.number);
    }
  }

  private void takeSome(int slot) throws Exception {
    List<Note> templates = Arrays.asList(template(), template());
    Set<Integer> expected = reference.takeable(templates.get(0), numbers[slot]);
    expected.addAll(reference.takeable(templates.get(1), numbers[slot]));
    Collection<Entry> found = at.space.take(templates, open[slot], NO_WAIT, 4);
    assertThat(found).hasSizeLessThanOrEqualTo(4);
    assertThat(found.isEmpty()).isEqualTo(expected.isEmpty());
    for (Entry each : found) {
      assertThat(expected.remove(((Note) each).number)).as("expected and once").isTrue();
      reference.take(((Note) each).number, numbers[slot]);
    }
  }

  private void list(int slot) throws Exception {
    List<Note> templates = Arrays.asList(template(), template());
    Set<Integer> expected = reference.readable(templates.get(0), numbers[slot]);
    expected.addAll(reference.readable(templates.get(1), numbers[slot]));
    MatchSet set = at.space.contents(templates, open[slot], MINUTE, Long.MAX_VALUE);
    Set<Integer> listed = new HashSet<>();
    for (Entry each = set.next(); each != null; each = set.next()) {
      assertThat(listed.add(((Note) each).number)).as("listed once").isTrue();
      reference.read(((Note) each).number, numbers[slot]);
    }
    assertThat(listed).isEqualTo(expected);
  }

  private void cancel() throws Exception {
    List<ReferenceSpace.Kept> free = new ArrayList<>(reference.free());
    // From a batch, Outrigger's leases are those of other entries: see docs/conformance.md.
    if (!free.isEmpty() && at.place() != Place.OUTRIGGER) {
      ReferenceSpace.Kept kept = free.get(random.nextInt(free.size()));
      kept.lease.renew(2 * MINUTE);
      kept.lease.cancel();
      assertThatThrownBy(kept.lease::cancel).isInstanceOf(UnknownLeaseException.class);
      reference.cancel(kept);
    }
  }

  private void beginOrEnd(int slot) throws Exception {
    if (slot == 0) {
      return; // no transaction
    }
    if (open[slot] == null) {
      open[slot] = at.begin();
      numbers[slot] = ++transactions;
    } else {
      end(slot, random.nextBoolean());
    }
  }

  private void end(int slot, boolean commit) throws Exception {
    if (open[slot] == null) {
      return;
    }
    if (commit) {
      open[slot].commit(MINUTE);
    } else {
      open[slot].abort(MINUTE);
    }
    reference.end(numbers[slot], commit);
    open[slot] = null;
    numbers[slot] = 0;
  }

  private void takesEverything() throws Exception {
    Set<Integer> left = reference.takeable(null, 0);
    for (int number : left) {
      assertThat(at.space.takeIfExists(new Note(null, number), null, MINUTE)).isNotNull();
      reference.take(number, 0);
    }
    assertThat(at.space.read(null, null, NO_WAIT)).isNull();
  }
}

package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One client alone: the space does what a list of entries would do. */
@Timeout(120)
@SuppressWarnings({"unchecked", "rawtypes"}) // the interface is older than generics
class SpaceModelTest {
  private static HazelcastSpace engine;

  @BeforeAll
  static void startMember() {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
  }

  @AfterAll
  static void stopMember() {
    engine.close();
  }

  /** An entry of the reference, with the lease that the space gave for it. */
  private record Kept(Note note, Lease lease) {}

  @Test
  @Tag("F1")
  void anySequenceOfOperationsGivesWhatTheReferenceGives() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("seed " + seed);
    for (int run = 0; run < 20; run++) {
      try (TupleSpace space = SpaceClient.open(engine, "model " + run, "test")) {
        new Run(space, new Random(seed + run)).go();
      }
    }
  }

  /** One space and its reference: what is committed, and what an open transaction sees. */
  private static final class Run {
    private final TupleSpace space;
    private final Random random;
    private final List<Kept> committed = new ArrayList<>();
    private List<Kept> own;
    private Transaction transaction;
    private int numbers;

    Run(TupleSpace space, Random random) {
      this.space = space;
      this.random = random;
    }

    void go() throws Exception {
      for (int i = 0; i < 200; i++) {
        switch (random.nextInt(9)) {
          case 0, 1, 2 -> write();
          case 3, 4 -> take();
          case 5 -> read();
          case 6 -> takeSome();
          case 7 -> cancel();
          default -> beginOrEnd();
        }
      }
      if (transaction != null) {
        transaction.abort();
      }
      for (Kept kept : committed) {
        assertThat(space.takeIfExists(exactly(kept.note), null, JavaSpace.NO_WAIT)).isNotNull();
      }
      assertThat(space.read(null, null, JavaSpace.NO_WAIT)).isNull();
    }

    private List<Kept> visible() {
      return transaction == null ? committed : own;
    }

    private void write() throws Exception {
      String topic = "topic" + random.nextInt(3);
      Note note =
          random.nextBoolean()
              ? new Note(topic, ++numbers)
              : new UrgentNote(topic, ++numbers, random.nextBoolean() ? "ada" : null);
      visible().add(new Kept(note, space.write(note, transaction, Lease.FOREVER)));
    }

    private Note anyTemplate() {
      String topic = random.nextBoolean() ? "topic" + random.nextInt(4) : null;
      return switch (random.nextInt(3)) {
        case 0 -> new UrgentNote(topic, null, random.nextBoolean() ? "ada" : null);
        case 1 -> new Note(topic, random.nextInt(3) == 0 ? random.nextInt(numbers + 1) : null);
        default -> random.nextInt(4) == 0 ? null : new Note(topic, null);
      };
    }

    private List<Integer> matching(Note template) {
      return visible().stream()
          .map(Kept::note)
          .filter(note -> matches(template, note))
          .map(note -> note.number)
          .toList();
    }

    private void take() throws Exception {
      Note template = anyTemplate();
      Note found =
          (Note)
              (random.nextBoolean()
                  ? space.take(template, transaction, JavaSpace.NO_WAIT)
                  : space.takeIfExists(template, transaction, JavaSpace.NO_WAIT));
      if (found == null) {
        assertThat(matching(template)).isEmpty();
      } else {
        assertThat(matching(template)).contains(found.number);
        forget(found);
      }
    }

    private void read() throws Exception {
      Note template = anyTemplate();
      Note found = (Note) space.read(template, transaction, JavaSpace.NO_WAIT);
      if (found == null) {
        assertThat(matching(template)).isEmpty();
      } else {
        assertThat(matching(template)).contains(found.number);
      }
    }

    private void takeSome() throws Exception {
      Note template = anyTemplate();
      if (template == null) {
        return;
      }
      List<Integer> expected = matching(template);
      var found = space.take(List.of(template), transaction, JavaSpace.NO_WAIT, 4);
      assertThat(found).hasSize(Math.min(4, expected.size()));
      for (Object each : found) {
        assertThat(expected).contains(((Note) each).number);
        forget((Note) each);
      }
    }

    private void forget(Note found) {
      visible().removeIf(kept -> kept.note.number.equals(found.number));
    }

    private void cancel() throws Exception {
      if (transaction == null && !committed.isEmpty()) {
        Kept kept = committed.remove(random.nextInt(committed.size()));
        kept.lease.cancel();
        assertThatThrownBy(kept.lease::cancel).isInstanceOf(UnknownLeaseException.class);
      }
    }

    private void beginOrEnd() throws Exception {
      if (transaction == null) {
        transaction = space.begin(Duration.ofMinutes(1)).transaction;
        own = new ArrayList<>(committed);
      } else if (random.nextBoolean()) {
        transaction.commit();
        transaction = null;
        committed.clear();
        committed.addAll(own);
      } else {
        transaction.abort();
        transaction = null;
      }
    }

    private static Note exactly(Note note) {
      return new Note(note.topic, note.number);
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
}

package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Many threads on one space in a real Hazelcast member. */
@Timeout(120)
class SpaceConcurrencyTest {
  private static final int THREADS = 8;
  private static final int EACH = 600;
  private static final long WAIT = 20_000;

  private static HazelcastSpace engine;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private TupleSpace space;

  @BeforeAll
  static void startMember() {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
  }

  @AfterAll
  static void stopMember() {
    engine.close();
  }

  @BeforeEach
  void openSpace(TestInfo test) throws Exception {
    space = SpaceClient.open(engine, test.getDisplayName(), "test");
  }

  @AfterEach
  void closeSpace() {
    threads.shutdownNow();
    space.close();
  }

  @Test
  @Tag("F1")
  void everyEntryIsTakenByOneWhateverTemplateTheyUse() throws Exception {
    Set<Integer> taken = ConcurrentHashMap.newKeySet();
    AtomicInteger takes = new AtomicInteger();
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < THREADS / 2; i++) {
      int first = i * EACH;
      work.add(() -> writes(first));
    }
    List<Entry> templates =
        Arrays.asList(null, new Note(), new SpreadNote(), new Note("topic1", null));
    for (Entry template : templates) {
      work.add(
          () -> {
            while (takes.get() < EACH * THREADS / 2) {
              Entry found = space.take(template, null, 100);
              if (found != null) {
                takes.incrementAndGet();
                taken.add(numberOf(found));
              }
            }
            return null;
          });
    }
    all(work);
    assertThat(takes).hasValue(EACH * THREADS / 2);
    assertThat(taken).hasSize(EACH * THREADS / 2);
    assertThat(space.read(null, null, JavaSpace.NO_WAIT)).isNull();
  }

  private Void writes(int first) throws Exception {
    for (int n = first; n < first + EACH; n++) {
      Entry entry =
          switch (n % 3) {
            case 0 -> new Note("topic" + n % 2, n);
            case 1 -> new UrgentNote("topic" + n % 2, n, "ada");
            default -> new SpreadNote("shard" + n % 5, n);
          };
      space.write(entry, null, Lease.FOREVER);
    }
    return null;
  }

  @Test
  @Tag("F1")
  void whatAbortedTransactionsTookIsTakenAgainAndWhatCommittedOnesTookIsNot() throws Exception {
    int count = EACH;
    for (int n = 0; n < count; n++) {
      space.write(new SpreadNote("shard" + n % 7, n), null, Lease.FOREVER);
    }
    Set<Integer> committed = ConcurrentHashMap.newKeySet();
    AtomicInteger commits = new AtomicInteger();
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int every = 3 + i;
      work.add(() -> takesUnderTransactions(count, every, committed, commits));
    }
    all(work);
    assertThat(commits).hasValue(count);
    assertThat(committed).hasSize(count);
    assertThat(space.take(new SpreadNote(), null, JavaSpace.NO_WAIT)).isNull();
    for (int n = 0; n < count; n++) {
      assertThat(space.take(new Note("done", n), null, JavaSpace.NO_WAIT)).isNotNull();
    }
    assertThat(space.take(new Note(), null, JavaSpace.NO_WAIT)).isNull();
  }

  /** Each take goes with a write of what was done; every so many transactions are aborted. */
  private Void takesUnderTransactions(
      int count, int every, Set<Integer> committed, AtomicInteger commits) throws Exception {
    for (int turn = 1; commits.get() < count; turn++) {
      Transaction transaction = space.begin(Duration.ofMinutes(1)).transaction;
      SpreadNote found = (SpreadNote) space.take(new SpreadNote(), transaction, 100);
      if (found == null) {
        transaction.abort();
        continue;
      }
      space.write(new Note("done", found.number), transaction, Lease.FOREVER);
      if (turn % every == 0) {
        transaction.abort();
      } else {
        transaction.commit();
        commits.incrementAndGet();
        committed.add(found.number);
      }
    }
    return null;
  }

  @Test
  @Tag("F1")
  void aReaderOfOneTopicGetsWhatItsWriterWroteInOrder() throws Exception {
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < THREADS / 2; i++) {
      String topic = "topic" + i;
      work.add(
          () -> {
            for (int n = 0; n < EACH; n++) {
              space.write(new Note(topic, n), null, Lease.FOREVER);
            }
            return null;
          });
      work.add(
          () -> {
            for (int n = 0; n < EACH; n++) {
              Note found = (Note) space.take(new Note(topic, null), null, WAIT);
              assertThat(found.number).isEqualTo(n);
            }
            return null;
          });
    }
    all(work);
  }

  private void all(List<Callable<Void>> work) throws Exception {
    List<Future<Void>> running = work.stream().map(threads::submit).toList();
    for (Future<Void> each : running) {
      each.get(100, TimeUnit.SECONDS);
    }
  }

  private static Integer numberOf(Entry entry) {
    return entry instanceof SpreadNote spread ? spread.number : ((Note) entry).number;
  }
}

package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command.Mode;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits in a bucket costs those nothing that want something else. */
@Timeout(60)
class WaitersTest {
  private static final int WAITERS = 500;
  private static final int ENTRIES = 2_000;
  private static final long SECOND = 1_000_000_000;

  private static final EntryType TYPE =
      new EntryType("Pair", List.of(), List.of("key", "value"), -1);
  private static final BucketKey KEY = new BucketKey("space", TYPE, 0);

  private final Context context =
      new Context(0, 1, new CellKey(1, 2), Limits.DEFAULT.withReceiptMillis(1_000));
  private final Bucket bucket = new Bucket(context, KEY, 0);
  private final Participation writer = new Participation(7, 1);
  private final Participation other = new Participation(8, 1);
  private final Outbox nowhere =
      new Outbox() {
        @Override
        public void send(int cell, Message message) {}

        @Override
        public void answer(Caller caller, Reply reply) {}

        @Override
        public void opened(Caller caller, long session, long leaseMillis) {}

        @Override
        public void closed(Caller caller) {}

        @Override
        public void event(long session, SpaceEvent event) {}
      };

  private long nowNanos;

  WaitersTest() {
    context.begin(nowNanos, nowhere);
  }

  private static EncodedEntry pair(int key, Integer value) {
    return new EncodedEntry(TYPE, new byte[][] {bytes(key), bytes(value)});
  }

  private static EncodedEntry anyPair() {
    return new EncodedEntry(TYPE, new byte[2][]);
  }

  private static byte[] bytes(Integer number) {
    return number == null ? null : new byte[] {(byte) (number >> 8), number.byteValue()};
  }

  private void write(List<EncodedEntry> entries, long leaseMillis, Participation by) {
    bucket.put(
        new Message.Put(
            probe(1_000_000),
            KEY,
            entries,
            Collections.nCopies(entries.size(), leaseMillis),
            by == null ? 0 : by.transaction),
        by);
  }

  private static ProbeId probe(long number) {
    return new ProbeId(0, number);
  }

  private void waits(long number, Mode mode, EncodedEntry template, Participation by) {
    bucket.probe(
        new Message.Probe(
            probe(number),
            KEY,
            mode,
            List.of(template),
            by == null ? 0 : by.transaction,
            1,
            true,
            true),
        by);
  }

  /** What the bucket has said since it was asked last. */
  private List<Message> said() {
    List<Message> said = new ArrayList<>();
    for (Message own = context.nextToItself(); own != null; own = context.nextToItself()) {
      said.add(own);
    }
    return said;
  }

  private void passes(long nanos) {
    nowNanos += nanos;
    context.begin(nowNanos, nowhere);
    for (Runnable due = context.deadlines.poll(nowNanos);
        due != null;
        due = context.deadlines.poll(nowNanos)) {
      due.run();
    }
  }

  /** The transaction ends, and nothing that it wrote is left. */
  private void drops(Participation part) {
    part.written.values().forEach(bucket::dropWritten);
    bucket.waiters().reconsiderExisting();
  }

  private static List<Message> noLockFor(LongStream probes) {
    return probes.<Message>mapToObj(number -> new Message.Nothing(probe(number), false)).toList();
  }

  private static Message offer(long probe, EncodedEntry entry) {
    return new Message.Offer(probe(probe), List.of(entry));
  }

  @Test
  void leasesThatEndCostThoseNothingWhoWaitForALock() {
    write(List.of(pair(1, 0)), Long.MAX_VALUE, writer);
    write(IntStream.range(0, ENTRIES).mapToObj(i -> pair(2, i)).toList(), 1_000, null);
    for (int i = 0; i < WAITERS; i++) {
      waits(i, Mode.TAKE_IF_EXISTS, pair(1, null), null);
    }
    said();
    passes(2 * SECOND);
    assertThat(bucket.isInUse()).isTrue();
    assertThat(said()).isEmpty();
    assertThat(bucket.waiters().looks()).as("looks at those who wait").isZero();
    drops(writer);
    assertThat(said()).isEqualTo(noLockFor(LongStream.range(0, WAITERS)));
    assertThat(bucket.isInUse()).isFalse();
  }

  @Test
  void anEntryIsOfferedToThoseWhoWaitForItsFieldsFirstComeFirst() {
    for (int i = 0; i < WAITERS; i++) {
      waits(i, Mode.TAKE, pair(i, null), null);
    }
    waits(WAITERS, Mode.READ, pair(5, 6), null);
    waits(WAITERS + 1, Mode.TAKE, anyPair(), null);
    waits(WAITERS + 2, Mode.TAKE, pair(5, null), null);
    waits(WAITERS + 3, Mode.READ, anyPair(), null);
    said();
    write(List.of(pair(5, 6), pair(5, 6)), Long.MAX_VALUE, null);
    assertThat(said())
        .containsExactly(
            offer(5, pair(5, 6)), offer(WAITERS, pair(5, 6)), offer(WAITERS + 1, pair(5, 6)));
    assertThat(bucket.waiters().looks()).as("looks at those who wait").isEqualTo(3);
    bucket.settle(probe(5), false);
    bucket.settle(probe(WAITERS + 1), true);
    assertThat(said()).containsExactly(offer(WAITERS + 2, pair(5, 6)));
    bucket.settle(probe(7), false);
    write(List.of(pair(7, 7), pair(8, 8)), Long.MAX_VALUE, null);
    assertThat(said()).containsExactly(offer(WAITERS + 3, pair(7, 7)), offer(8, pair(8, 8)));
    assertThat(bucket.waiters().looks()).as("looks at those who wait").isEqualTo(6);
  }

  @Test
  void whoWaitsWithSeveralTemplatesIsServedOnce() {
    bucket.probe(
        new Message.Probe(
            probe(1),
            KEY,
            Mode.READ,
            List.of(pair(1, null), pair(1, 2), anyPair()),
            0,
            1,
            true,
            true),
        null);
    said();
    write(List.of(pair(1, 2), pair(1, 2), pair(3, 4)), Long.MAX_VALUE, null);
    assertThat(said()).containsExactly(offer(1, pair(1, 2)));
    assertThat(bucket.waiters().size()).isZero();
  }

  @Test
  void whoWaitsForALockGivesUpWithTheLastOne() {
    write(List.of(pair(1, 1)), Long.MAX_VALUE, writer);
    write(List.of(pair(1, 2)), Long.MAX_VALUE, other);
    waits(1, Mode.READ_IF_EXISTS, pair(1, null), null);
    waits(2, Mode.TAKE_IF_EXISTS, pair(1, 2), null);
    said();
    drops(writer);
    assertThat(said()).isEmpty();
    drops(other);
    assertThat(said()).isEqualTo(noLockFor(LongStream.of(1, 2)));
  }

  @Test
  void whatEndsWhileItIsTakenIsNoHope() {
    write(List.of(pair(1, 1)), 1_000, null);
    waits(1, Mode.TAKE, pair(1, 1), writer);
    bucket.settle(probe(1), true);
    waits(2, Mode.READ_IF_EXISTS, pair(1, null), null);
    waits(3, Mode.READ_IF_EXISTS, pair(1, null), writer);
    assertThat(said())
        .containsExactly(
            offer(1, pair(1, 1)),
            new Message.Nothing(probe(2), true),
            new Message.Nothing(probe(3), false));
    passes(2 * SECOND);
    assertThat(said()).isEqualTo(noLockFor(LongStream.of(2)));
  }

  @Test
  void whatTheOwnTransactionTakesIsNoHope() {
    write(List.of(pair(1, 1)), Long.MAX_VALUE, null);
    waits(1, Mode.TAKE, pair(1, 1), writer);
    waits(2, Mode.TAKE_IF_EXISTS, pair(1, 1), writer);
    waits(3, Mode.TAKE_IF_EXISTS, pair(1, 1), other);
    said();
    bucket.settle(probe(1), true);
    assertThat(said()).isEqualTo(noLockFor(LongStream.of(2)));
    bucket.returnTaken(writer.taken.values().iterator().next());
    assertThat(said()).containsExactly(offer(2, pair(1, 1)));
  }
}

package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a look into many buckets costs, and that it finds what is there. */
@Timeout(60)
class WildcardLookTest {
  private static final String SPACE = "app/one";
  private static final int CELLS = 271;
  private static final int CLASSES = 400;

  /** A probe and its answer, three rounds of questions to cells, one more probe and its end. */
  private static final int FEW_ONE_AFTER_THE_OTHER = 11;

  private static final EncodedEntry ANYTHING = EntryCodec.encode(null);
  private static final EntryType PARENT = new EntryType("Parent", List.of(), List.of("text"), -1);

  private final QuietCells cells = new QuietCells(CELLS, Limits.DEFAULT);
  private final QuietCells.Client client = cells.opens();

  @BeforeEach
  void everyClassWasUsedOnceAndIsEmpty() {
    for (int i = 0; i < CLASSES; i++) {
      write(i, 0);
      assertThat(found(match(Command.Mode.TAKE, template(type(i)), 0, 0, 1))).hasSize(1);
    }
    assertThat(found(take(ANYTHING, 0))).isEmpty();
    assertThat(found(take(template(PARENT), 0))).isEmpty();
    cells.settle();
    cells.countsFromNow();
  }

  private static EntryType type(int number) {
    return new EntryType("Class" + number, List.of("Parent"), List.of("text"), -1);
  }

  private static EntryType spread(int number) {
    return new EntryType("Spread" + number, List.of("Other"), List.of("shard"), 0);
  }

  private static EncodedEntry template(EntryType type) {
    return new EncodedEntry(type, new byte[1][]);
  }

  private void write(int number, long transaction) {
    write(new EncodedEntry(type(number), new byte[][] {{1}}), transaction);
  }

  private void write(EncodedEntry entry, long transaction) {
    assertThat(
            client.asks(
                new Command.Write(SPACE, List.of(entry), List.of(Long.MAX_VALUE), transaction)))
        .isInstanceOf(Reply.Written.class);
  }

  private static Command.Match match(
      Command.Mode mode, EncodedEntry template, long transaction, long timeoutMillis, int limit) {
    return new Command.Match(SPACE, mode, List.of(template), transaction, timeoutMillis, limit);
  }

  private static Command.Match take(EncodedEntry template, long transaction) {
    return match(Command.Mode.TAKE, template, transaction, 0, 1);
  }

  private List<EncodedEntry> found(Command.Match command) {
    return ((Reply.Matched) client.asks(command)).entries();
  }

  private long begin() {
    return ((Reply.Began) client.asks(new Command.Begin(Long.MAX_VALUE))).transaction();
  }

  private void assertFewOneAfterTheOther() {
    assertThat(cells.longestChain()).isLessThanOrEqualTo(FEW_ONE_AFTER_THE_OTHER);
    // A question to each cell and its answer, and those to the bucket that is probed.
    assertThat(cells.letters()).isLessThanOrEqualTo(2 * CELLS + 8);
    cells.countsFromNow();
  }

  @Test
  void emptyBucketsAreNotAskedOneAfterTheOther() {
    assertThat(found(take(ANYTHING, 0))).isEmpty();
    assertFewOneAfterTheOther();
    assertThat(found(take(template(PARENT), 0))).isEmpty();
    assertFewOneAfterTheOther();
  }

  @Test
  void neitherAreEmptyShards() {
    for (byte key = 0; key < 100; key++) {
      write(new EncodedEntry(spread(0), new byte[][] {{key}}), 0);
      assertThat(found(take(template(spread(0)), 0))).hasSize(1);
    }
    cells.countsFromNow();
    assertThat(found(take(template(spread(0)), 0))).isEmpty();
    assertThat(cells.longestChain()).as("a probe, and all others together").isLessThanOrEqualTo(4);
  }

  @Test
  void theOnlyEntryIsFoundWhereverItIs() {
    for (int number = 0; number < CLASSES; number += 41) {
      write(number, 0);
      cells.countsFromNow();
      assertThat(found(match(Command.Mode.READ, ANYTHING, 0, 0, 1))).hasSize(1);
      assertFewOneAfterTheOther();
      assertThat(found(take(number % 2 == 0 ? ANYTHING : template(PARENT), 0)))
          .extracting(EncodedEntry::type)
          .containsExactly(type(number));
      assertFewOneAfterTheOther();
    }
  }

  @Test
  void whatIsLockedIsNotAskedForOneAfterTheOther() {
    long transaction = begin();
    for (int number = 0; number < 300; number++) {
      write(number, 0);
      assertThat(found(take(template(type(number)), transaction))).hasSize(1);
    }
    cells.countsFromNow();
    assertThat(found(take(ANYTHING, 0))).isEmpty();
    assertFewOneAfterTheOther();
    assertThat(found(match(Command.Mode.READ_IF_EXISTS, ANYTHING, 0, 0, 1))).isEmpty();
    assertFewOneAfterTheOther();
  }

  @Test
  void whoAsksForWhatExistsWaitsForTheOnlyLock() {
    long transaction = begin();
    write(300, transaction);
    Caller caller =
        client.begins(match(Command.Mode.TAKE_IF_EXISTS, template(PARENT), 0, 60_000, 1));
    cells.settle();
    assertThat(cells.replyTo(caller)).isNull();
    assertThat(client.asks(new Command.Commit(transaction))).isInstanceOf(Reply.Done.class);
    cells.settle();
    assertThat(((Reply.Matched) cells.replyTo(caller)).entries()).hasSize(1);
  }

  @Test
  void aBatchTakesAllThereIs() {
    for (int number = 0; number < 300; number++) {
      write(number, 0);
    }
    assertThat(found(match(Command.Mode.TAKE, ANYTHING, 0, 0, 250))).hasSize(250);
    assertThat(found(match(Command.Mode.TAKE, ANYTHING, 0, 0, 250))).hasSize(50);
  }

  @Test
  void aTransactionSeesWhatItWroteAndOthersDoNot() {
    long transaction = begin();
    write(350, transaction);
    assertThat(found(take(ANYTHING, 0))).isEmpty();
    assertThat(found(take(ANYTHING, begin()))).isEmpty();
    assertThat(found(take(ANYTHING, transaction))).hasSize(1);
    assertThat(found(take(ANYTHING, transaction))).isEmpty();
    assertThat(client.asks(new Command.Abort(transaction))).isInstanceOf(Reply.Done.class);
    assertThat(client.asks(take(ANYTHING, transaction))).isInstanceOf(Reply.Refused.class);
  }
}

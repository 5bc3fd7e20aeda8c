package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes that are allowed by what their transaction has taken. */
@Timeout(60)
class SpendingTest {
  private static final long LONG_MILLIS = 3_600_000;
  private static HazelcastSpace space;
  private static long session;
  private static long sequence;

  @BeforeAll
  static void aSpace() {
    space = HazelcastSpace.start(SpaceSettings.defaults());
    session = space.open("test", event -> {}).join();
  }

  @AfterAll
  static void end() {
    space.close();
  }

  @Test
  void whatWasTakenIsSpentOnceAndIsFreeWhenTheTransactionEnds() {
    write(0, List.of(coin("once", 1)));
    long transaction = takes("once", 1);
    assertRefused(pay(transaction, "once", 2));
    assertThat(pay(transaction, "once", 1)).isInstanceOf(Reply.Written.class);
    assertRefused(pay(transaction, "once", 1));
    ask(new Command.Abort(transaction));

    long again = takes("once", 1);
    assertThat(pay(again, "once", 1)).isInstanceOf(Reply.Written.class);
    ask(new Command.Commit(again));
    assertThat(pay(again, "once", 1))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            r -> assertThat(r.code()).isEqualTo(Reply.Refusal.UNKNOWN_TRANSACTION));
  }

  @Test
  void aWriteThatIsRefusedSpendsNothing() {
    write(0, List.of(coin("red", 1), coin("green", 1)));
    long transaction = takes("red", 1);
    assertRefused(pay(transaction, List.of(spend("red", 1), spend("green", 1))));
    assertRefused(pay(transaction, List.of(spend("red", 1), spend("red", 1))));
    assertThat(
            ask(
                new Command.Match(
                    "s", Command.Mode.TAKE, List.of(coin("green", 1)), transaction, 0, 1)))
        .isEqualTo(new Reply.Matched(List.of(coin("green", 1))));

    assertThat(pay(transaction, List.of(spend("red", 1), spend("green", 1))))
        .isInstanceOf(Reply.Written.class);
    ask(new Command.Abort(transaction));
  }

  @Test
  void withoutATransactionNothingIsSpent() {
    assertThat(pay(0, "none", 1))
        .isInstanceOfSatisfying(
            Reply.Refused.class, r -> assertThat(r.code()).isEqualTo(Reply.Refusal.INVALID));
  }

  private static long takes(String topic, int number) {
    long transaction = ((Reply.Began) ask(new Command.Begin(LONG_MILLIS))).transaction();
    Reply taken =
        ask(
            new Command.Match(
                "s", Command.Mode.TAKE, List.of(coin(topic, number)), transaction, 0, 1));
    assertThat(taken).isEqualTo(new Reply.Matched(List.of(coin(topic, number))));
    return transaction;
  }

  private static Reply pay(long transaction, String topic, int number) {
    return pay(transaction, List.of(spend(topic, number)));
  }

  private static Reply pay(long transaction, List<Command.Spend> spends) {
    return ask(
        new Command.Write(
            "s",
            List.of(EntryCodec.encode(new Note("bought", 1))),
            List.of(LONG_MILLIS),
            transaction,
            spends));
  }

  private static void write(long transaction, List<EncodedEntry> entries) {
    List<Long> leases = entries.stream().map(entry -> LONG_MILLIS).toList();
    assertThat(ask(new Command.Write("s", entries, leases, transaction)))
        .isInstanceOf(Reply.Written.class);
  }

  /** Coins of different topics lie in different cells. */
  private static EncodedEntry coin(String topic, int number) {
    return EntryCodec.encode(new SpreadNote(topic, number));
  }

  private static Command.Spend spend(String topic, int number) {
    return new Command.Spend(coin(topic, number), true);
  }

  private static void assertRefused(Reply reply) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class, r -> assertThat(r.code()).isEqualTo(Reply.Refusal.FORBIDDEN));
  }

  private static synchronized Reply ask(Command command) {
    sequence++;
    return space.execute(session, sequence, sequence, command).join();
  }
}

package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is too large or makes no sense is refused with a reason, and what is just within is not. */
@Timeout(10)
@Tag("S4")
class ValidationTest {
  private static final EntryType TYPE = new EntryType("T", List.of(), List.of("f"), -1);
  private final Validation validation =
      new Validation(() -> new Limits(10, 3, 25, 2, 5, 5, 1_000, LeaseCaps.DEFAULT, 1));

  @Test
  void entriesHaveALimitOfBytes() {
    assertFine(write(10));
    assertRefused(write(11), Reply.Refusal.LIMIT, "longer than the 10 bytes");
  }

  @Test
  void batchesHaveLimitsOfCountAndBytes() {
    assertFine(write(8, 8, 8));
    assertRefused(write(10, 10, 10), Reply.Refusal.LIMIT, "30 bytes in one write, at most 25");
    assertRefused(write(1, 1, 1, 1), Reply.Refusal.LIMIT, "4 entries, at most 3");
    assertRefused(write(), Reply.Refusal.INVALID, "expected at least one");
  }

  @Test
  void templatesAndAnswersHaveALimitOfCount() {
    assertFine(match("s", 2, 3, 0));
    assertRefused(match("s", 3, 1, 0), Reply.Refusal.LIMIT, "3 templates, at most 2");
    assertRefused(match("s", 1, 4, 0), Reply.Refusal.LIMIT, "at most 3");
    assertRefused(match("s", 1, 0, 0), Reply.Refusal.INVALID, "expected at least one");
    assertRefused(match("s", 1, -5, 0), Reply.Refusal.INVALID, "expected at least one");
  }

  @Test
  void timesAndNamesMakeSense() {
    assertRefused(match("s", 1, 1, -1), Reply.Refusal.INVALID, "timeout of -1 ms");
    assertRefused(match("", 1, 1, 0), Reply.Refusal.INVALID, "needs a name");
    assertRefused(match("x".repeat(513), 1, 1, 0), Reply.Refusal.LIMIT, "at most 512");
    assertRefused(new Command.Begin(-2), Reply.Refusal.INVALID, "lease of -2 ms");
    assertFine(new Command.Begin(-1));
  }

  @Test
  void classesHaveAtMostSixtyFourFields() {
    assertFine(writeWithFields(64));
    assertRefused(writeWithFields(65), Reply.Refusal.LIMIT, "at most 64 fields");
  }

  private static Command writeWithFields(int count) {
    List<String> names = IntStream.range(0, count).mapToObj(i -> "f" + i).toList();
    EntryType type = new EntryType("Wide", List.of(), names, -1);
    return new Command.Write(
        "s", List.of(new EncodedEntry(type, new byte[count][])), List.of(0L), 0);
  }

  private static Command write(int... bytes) {
    List<EncodedEntry> entries = IntStream.of(bytes).mapToObj(ValidationTest::entry).toList();
    return new Command.Write("s", entries, Collections.nCopies(bytes.length, 0L), 0);
  }

  private static EncodedEntry entry(int bytes) {
    return new EncodedEntry(TYPE, new byte[][] {new byte[bytes]});
  }

  private static Command match(String space, int templates, int limit, long timeoutMillis) {
    return new Command.Match(
        space,
        Command.Mode.TAKE,
        Collections.nCopies(templates, entry(1)),
        0,
        timeoutMillis,
        limit);
  }

  private void assertFine(Command command) {
    assertThat(validation.check(command)).isEmpty();
  }

  private void assertRefused(Command command, Reply.Refusal code, String sentence) {
    assertThat(validation.check(command))
        .hasValueSatisfying(
            refused -> {
              assertThat(refused.code()).isEqualTo(code);
              assertThat(refused.message()).contains(sentence);
            });
  }
}

package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What new classes cost, and that there is an end of them. */
@Timeout(60)
class ClassFloodTest {
  private static final int CELLS = 271;
  private static final int CLASSES = 500;
  private static final long FOREVER = Long.MAX_VALUE;

  private static final EncodedEntry ANYTHING = EntryCodec.encode(null);

  /** A class with a name of so many characters. */
  private static EntryType named(int number, int length) {
    String name = "flood.Class" + number;
    return new EntryType(name + "x".repeat(length - name.length()), List.of(), List.of("text"), -1);
  }

  private static Command write(String space, EntryType type) {
    EncodedEntry entry = new EncodedEntry(type, new byte[type.fieldNames().size()][]);
    return new Command.Write(space, List.of(entry), List.of(FOREVER), 0);
  }

  private static Command read(String space, EncodedEntry template) {
    return new Command.Match(space, Command.Mode.READ, List.of(template), 0, 0, 1);
  }

  private static EncodedEntry template(EntryType type) {
    return new EncodedEntry(type, new byte[type.fieldNames().size()][]);
  }

  @Test
  void aNewClassCostsThoseWhoUseIt() {
    QuietCells cells = new QuietCells(CELLS, Limits.DEFAULT);
    QuietCells.Client client = cells.opens();
    // Every cell has to do with the space.
    for (int i = 0; i < CELLS * 4; i++) {
      client.asks(read("app/one", template(named(i, 20))));
    }
    cells.settle();
    long inputs = cells.inputBytes();
    long images = cells.imageBytes();
    for (int i = 0; i < CLASSES; i++) {
      assertThat(client.asks(write("app/one", named(100_000 + i, 400))))
          .isInstanceOf(Reply.Written.class);
    }
    cells.settle();
    inputs = (cells.inputBytes() - inputs) / CLASSES;
    images = (cells.imageBytes() - images) / CLASSES;
    System.out.println(
        "a new class: " + inputs + " bytes of inputs, " + images + " bytes of images");
    assertThat(inputs).isLessThan(4_000);
    assertThat(images).isLessThan(2_500);
  }

  @Test
  void whoWaitsForASupertypeOrForAnythingHearsOfClassesToCome() {
    QuietCells cells = new QuietCells(CELLS, Limits.DEFAULT);
    EntryType parent = new EntryType("Parent", List.of(), List.of("text"), -1);
    EntryType child = new EntryType("Child", List.of("Parent"), List.of("text", "more"), -1);
    Caller parents = cells.opens().begins(take("app/one", template(parent)));
    Caller anything = cells.opens().begins(take("app/one", ANYTHING));
    Caller others = cells.opens().begins(take("app/one", template(named(1, 20))));
    cells.arrives();
    QuietCells.Client writer = cells.opens();
    writer.asks(write("app/one", child));
    writer.asks(write("app/one", child));
    assertThat(cells.replyTo(parents)).isInstanceOf(Reply.Matched.class);
    assertThat(cells.replyTo(anything)).isInstanceOf(Reply.Matched.class);
    assertThat(cells.replyTo(others)).isNull();
  }

  @Test
  void aUserHasSoManyClassesInAllSpacesTogetherWrittenOrAskedFor() {
    QuietCells cells = new QuietCells(CELLS, Limits.DEFAULT.withClasses(3, 10, 10_000));
    QuietCells.Client client = cells.opens();
    assertThat(client.asks(write("app/one", named(1, 20)))).isInstanceOf(Reply.Written.class);
    assertThat(client.asks(read("app/one", template(named(1, 20)))))
        .isInstanceOf(Reply.Matched.class);
    assertThat(client.asks(write("app/two", named(2, 20)))).isInstanceOf(Reply.Written.class);
    assertThat(client.asks(read("app/two", template(named(3, 20)))))
        .isInstanceOf(Reply.Matched.class);
    assertRefused(
        client.asks(write("app/one", named(4, 20))), "has 3 entry classes and may have 3");
    assertRefused(client.asks(read("app/two", template(named(4, 20)))), "may have 3");
    assertThat(client.asks(write("app/two", named(3, 20)))).isInstanceOf(Reply.Written.class);
    assertThat(client.asks(write("other/one", named(4, 20)))).isInstanceOf(Reply.Written.class);
    assertThat(client.asks(write("app", named(4, 20)))).isInstanceOf(Reply.Written.class);
    assertThat(client.asks(read("app/two", ANYTHING))).isInstanceOf(Reply.Matched.class);
  }

  @Test
  void aUserHasSoManySpacesAndWhatIsRefusedLeavesNothingBehind() {
    Limits limits = Limits.DEFAULT.withClasses(1_000, 2, 100_000);
    QuietCells cells = new QuietCells(CELLS, limits);
    QuietCells.Client client = cells.opens();
    client.asks(write("app/one", named(1, 20)));
    client.asks(read("app/two", template(named(1, 20))));
    cells.settle();
    long images = cells.imageBytes();
    for (int i = 0; i < 100; i++) {
      String space = "app/another" + i;
      assertRefused(client.asks(write(space, named(1, 20))), "has 2 spaces");
      assertRefused(client.asks(read(space, template(named(1, 20)))), "has 2 spaces");
    }
    assertThat(client.asks(write("other/one", named(1, 20)))).isInstanceOf(Reply.Written.class);
    cells.settle();
    assertThat(cells.imageBytes() - images).as("what sessions keep of them").isLessThan(70_000);
    cells.restart(limits.withClasses(1_000, 3, 100_000));
    assertThat(client.asks(write("app/three", named(1, 20)))).isInstanceOf(Reply.Written.class);
    assertRefused(client.asks(write("app/four", named(1, 20))), "has 3 spaces");
  }

  @Test
  void whatCellsAreToldOfClassesHasALimitInBytes() {
    QuietCells cells = new QuietCells(CELLS, Limits.DEFAULT.withClasses(1_000, 10, 10_000));
    int written = 0;
    QuietCells.Client client = cells.opens();
    for (int i = 0; i < 8; i++) {
      // Each is decided in a cell of its own, which is told of every class.
      cells.opens().asks(read("app/one", ANYTHING));
    }
    Reply last = client.asks(write("app/one", named(0, 400)));
    while (last instanceof Reply.Written) {
      written++;
      last = client.asks(write("app/one", named(written, 400)));
    }
    assertRefused(last, "more than 10000 bytes");
    assertThat(written).isBetween(2, 4);
    assertThat(client.asks(write("other/one", named(0, 400)))).isInstanceOf(Reply.Written.class);
  }

  private static Command take(String space, EncodedEntry template) {
    return new Command.Match(space, Command.Mode.TAKE, List.of(template), 0, 60_000, 1);
  }

  private static void assertRefused(Reply reply, String sentence) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    assertThat(((Reply.Refused) reply).code()).isEqualTo(Reply.Refusal.LIMIT);
    assertThat(((Reply.Refused) reply).message())
        .contains(sentence)
        .contains("ask the operator for more (--");
  }
}

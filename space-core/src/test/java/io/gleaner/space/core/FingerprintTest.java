package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FingerprintTest {
  private static final long SESSION = 17;
  private static final byte[] KEY = {1, 2, 3};

  @Test
  void itIsSipHash() {
    // The first words of the vectors that its authors publish.
    SipHash hash = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    assertThat(hash.add(0x0706050403020100L).end()).isEqualTo(0x93f5f5799a932462L);
  }

  @Test
  void commandsThatDifferAnywhereHaveOthers() {
    EncodedEntry entry = of(type("Point", List.of("x", "y"), -1, false), KEY, null);
    List<Command> commands =
        List.of(
            write("a", 0, 10, entry),
            write("b", 0, 10, entry),
            write("a", 1, 10, entry),
            write("a", 0, 11, entry),
            write("a", 0, 10, entry, entry),
            write("a", 0, 10, of(entry.type(), KEY, KEY)),
            write("a", 0, 10, of(entry.type(), null, KEY)),
            write("a", 0, 10, of(entry.type(), KEY, new byte[0])),
            write("a", 0, 10, of(type("Dot", List.of("x", "y"), -1, false), KEY, null)),
            write("a", 0, 10, of(type("Point", List.of("x", "z"), -1, false), KEY, null)),
            write("a", 0, 10, of(type("Point", List.of("x", "y"), 0, false), KEY, null)),
            write("a", 0, 10, of(type("Point", List.of("x", "y"), -1, true), KEY, null)),
            spending(entry, true),
            spending(entry, false),
            match(Command.Mode.TAKE, 10, 1, entry),
            match(Command.Mode.READ, 10, 1, entry),
            match(Command.Mode.TAKE, 11, 1, entry),
            new Command.Contents("a", List.of(entry), 0, "", 1),
            new Command.Contents("a", List.of(entry), 0, "1", 1),
            new Command.CancelLease(new LeaseId(LeaseId.Kind.ENTRY, "a", 2)),
            new Command.CancelLease(new LeaseId(LeaseId.Kind.ENTRY, "b", 2)),
            new Command.Commit(1),
            new Command.Abort(1),
            new Command.Abort(2));

    assertThat(commands)
        .extracting(command -> Fingerprint.of(SESSION, command))
        .doesNotHaveDuplicates();
    assertThat(commands)
        .noneMatch(each -> Fingerprint.of(SESSION, each) == Fingerprint.of(SESSION + 1, each));
  }

  @Test
  void itIsTheSameOfEqualCommandsAndOfWhatGatewaysCut() {
    EncodedEntry entry = of(type("Point", List.of("x"), -1, false), KEY);
    EncodedEntry equal = of(type("Point", List.of("x"), -1, false), KEY.clone());
    assertThat(Fingerprint.of(SESSION, match(Command.Mode.TAKE, 10, 1, entry)))
        .isEqualTo(Fingerprint.of(SESSION, match(Command.Mode.TAKE, 10, 1_000, equal)));
  }

  private static EntryType type(String name, List<String> fields, int shard, boolean isTransient) {
    return new EntryType("io.gleaner." + name, List.of(), fields, shard, isTransient);
  }

  private static EncodedEntry of(EntryType type, byte[]... fields) {
    return new EncodedEntry(type, fields);
  }

  private static Command write(String space, long transaction, long lease, EncodedEntry... all) {
    return new Command.Write(
        space, List.of(all), Collections.nCopies(all.length, lease), transaction);
  }

  private static Command spending(EncodedEntry entry, boolean exactly) {
    return new Command.Write(
        "a", List.of(entry), List.of(10L), 0, List.of(new Command.Spend(entry, exactly)));
  }

  private static Command match(Command.Mode mode, long millis, int limit, EncodedEntry template) {
    return new Command.Match("a", mode, List.of(template), 0, millis, limit);
  }
}

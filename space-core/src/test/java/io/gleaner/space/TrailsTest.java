package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.matching.Shard;
import io.gleaner.space.core.BucketKey;
import io.gleaner.space.core.Routing;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TrailsTest {
  private static final int CELLS = 271;

  /** Spread by its key. */
  public static class Spread implements Entry {
    private static final long serialVersionUID = 1L;
    @Shard public String key;

    public Spread() {}

    private Spread(String key) {
      this.key = key;
    }
  }

  private final Trails trails = new Trails();
  private final List<EncodedEntry> any = List.of(EntryCodec.encode(new Spread()));

  @Test
  void whereSomethingWasIsLookedIntoFirstAndNowAndThenElsewhere() {
    EncodedEntry found = EntryCodec.encode(new Spread("here"));
    trails.found(any, List.of(found));

    List<Integer> looks = IntStream.range(0, 1000).mapToObj(i -> trails.lookFirst(any)).toList();
    assertThat(looks).filteredOn(s -> s == BucketKey.shardOf(found)).hasSizeGreaterThan(800);
    assertThat(new HashSet<>(looks)).hasSizeGreaterThan(8);
  }

  @Test
  void aTemplateThatNamesTheShardOrMatchesEverythingHasNoTrail() {
    assertThat(trails.lookFirst(List.of(EntryCodec.encode(new Spread("here"))))).isEqualTo(-1);
    assertThat(trails.lookFirst(List.of(EntryCodec.encode(null)))).isEqualTo(-1);
  }

  @Test
  void theLookIsDecidedInTheCellWhereItBegins() {
    EncodedEntry entry = EntryCodec.encode(new Spread("here"));
    Command.Match match =
        new Command.Match("s", Command.Mode.TAKE, any, 0, 0, 1, BucketKey.shardOf(entry));
    Command.Write write = new Command.Write("s", List.of(entry), List.of(1000L), 0);

    assertThat(Routing.home(7, match, CELLS)).isEqualTo(Routing.home(7, write, CELLS));
  }

  @Test
  void allShardsAreEmptiedAndEmptyOnesAreFoundEmpty() throws Exception {
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults());
        TupleSpace space = SpaceClient.open(engine, "s", "")) {
      Set<String> keys = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        keys.add("key-" + i);
        space.write(new Spread("key-" + i), null, Lease.FOREVER);
      }
      Set<String> taken = new HashSet<>();
      for (Entry entry = space.take(new Spread(), null, 0);
          entry != null;
          entry = space.take(new Spread(), null, 0)) {
        taken.add(((Spread) entry).key);
      }
      assertThat(taken).isEqualTo(keys);
    }
  }
}

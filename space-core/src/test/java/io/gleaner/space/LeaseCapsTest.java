package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.matching.EntryCodec;
import io.gleaner.space.core.LeaseCaps;
import io.gleaner.space.core.Limits;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseMap;
import net.jini.core.lease.LeaseMapException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No lease is longer than the configuration says, and many are renewed by few commands. */
@Timeout(120)
class LeaseCapsTest {
  private static final LeaseCaps SHORT = new LeaseCaps(50_000, 40_000, 30_000, 20_000);
  private static final LeaseCaps LONG = new LeaseCaps(500_000, 400_000, 300_000, 200_000);
  private static final int MANY = 200;
  private static final int CELLS = 7;

  @TempDir Path folder;

  @Test
  void aLeaseIsNoLongerThanWhatIsConfiguredAlsoAfterARestartWithOtherLimits() {
    for (LeaseCaps caps : List.of(SHORT, LONG)) {
      try (HazelcastSpace space =
          HazelcastSpace.startDurable(settings(caps), StorageSettings.in(folder))) {
        for (long wanted : new long[] {Lease.FOREVER, Lease.ANY}) {
          assertThat(granted(space, new Command.Begin(wanted))).isEqualTo(caps.transactionMillis());
          assertThat(granted(space, write(wanted))).isEqualTo(caps.entryMillis());
          assertThat(granted(space, register(wanted))).isEqualTo(caps.registrationMillis());
        }
        assertThat(granted(space, write(10_000))).isEqualTo(10_000);
      }
    }
  }

  @Test
  @SuppressWarnings("unchecked") // LeaseMap is older than type parameters
  void aMapOfLeasesAsksEachCellOnce() throws Exception {
    List<Command> commands = new ArrayList<>();
    try (HazelcastSpace space = HazelcastSpace.start(settings(LONG));
        TupleSpace client = SpaceClient.open(new Counting(space, commands), "s", "test")) {
      LeaseMap map = null;
      Lease last = null;
      for (int i = 0; i < MANY; i++) {
        last = client.write(new SpreadNote("red", i), null, 10_000);
        map = map == null ? last.createLeaseMap(60_000) : map;
        map.put(last, 60_000L);
      }
      commands.clear();
      long before = last.getExpiration();
      map.renewAll();
      assertThat(last.getExpiration()).isGreaterThan(before);
      assertThat(commands).hasSizeLessThanOrEqualTo(CELLS);
      last.cancel();
      commands.clear();
      assertThatThrownBy(map::cancelAll)
          .isInstanceOfSatisfying(
              LeaseMapException.class, e -> assertThat(e.exceptionMap.size()).isEqualTo(1));
      assertThat(commands).hasSizeLessThanOrEqualTo(CELLS);
      assertThat(map.size()).isEqualTo(MANY - 1);
      assertThat(client.read(new SpreadNote(), null, 0)).isNull();
    }
  }

  @Test
  @SuppressWarnings("unchecked") // LeaseMap is older than type parameters
  void aMapTakesNoTimeThatARenewalCouldNotAskFor() throws Exception {
    try (HazelcastSpace space = HazelcastSpace.start(settings(LONG));
        TupleSpace client = SpaceClient.open(space, "s", "test")) {
      Lease lease = client.write(new SpreadNote("red", 1), null, 10_000);
      assertThatThrownBy(() -> lease.createLeaseMap(-5))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a lease of -5 ms; expected 0 or more");
      LeaseMap map = lease.createLeaseMap(Lease.ANY);
      assertThatThrownBy(() -> map.put(lease, -5L)).isInstanceOf(IllegalArgumentException.class);
      map.renewAll();
    }
  }

  private static SpaceSettings settings(LeaseCaps caps) {
    return new SpaceSettings(MemberSettings.alone(), CELLS, 2, Limits.DEFAULT.with(caps));
  }

  private static long granted(HazelcastSpace space, Command command) {
    long session = space.open("test", event -> {}).join();
    Reply reply = space.execute(session, 1, 1, command).join();
    if (reply instanceof Reply.Began began) {
      return began.lease().millis();
    } else if (reply instanceof Reply.Registered registered) {
      return registered.lease().millis();
    }
    return ((Reply.Written) reply).leases().get(0).millis();
  }

  private static Command write(long millis) {
    return new Command.Write("s", List.of(EntryCodec.encode(new Note("n", 1))), List.of(millis), 0);
  }

  private static Command register(long millis) {
    return new Command.Register(
        "s", List.of(EntryCodec.encode(new Note())), 0, false, false, millis);
  }

  /** Notes what is asked. */
  private record Counting(SpaceEngine engine, List<Command> commands) implements SpaceEngine {
    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      return engine.open(holder, events);
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long lowestUnanswered, Command command) {
      commands.add(command);
      return engine.execute(session, sequence, lowestUnanswered, command);
    }

    @Override
    public CompletableFuture<Void> close(long session) {
      return engine.close(session);
    }

    @Override
    public void close() {}
  }
}

package io.gleaner.space.hosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.matching.Shard;
import io.gleaner.secrets.Secret;
import io.gleaner.space.Command;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.Reply;
import io.gleaner.space.SessionName;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.Limits;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Routing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import net.jini.core.entry.Entry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listings of what anybody may see are no inputs, and show nothing that is not safe. */
@Timeout(120)
class BrowsingTest {
  private static final int CELLS = 23;
  private static final int ENTRIES = 100;
  private static final int PAGE = 7;
  private static final int ROUNDS = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Limits LIMITS = Limits.DEFAULT.withSessionLeaseMillis(3_600_000);

  private final List<SpaceMember> members = new ArrayList<>();
  private long session;
  private long sequence;

  /** An entry of sixteen shards. */
  public static final class Leaf implements Entry {
    private static final long serialVersionUID = 1L;
    @Shard public Integer number;

    public Leaf() {}

    Leaf(int number) {
      this.number = number;
    }
  }

  private SpaceMember starts(MemberSettings member, Keeping keeping) {
    SpaceMember started = SpaceMember.start(new SpaceSettings(member, CELLS, 2, LIMITS), keeping);
    members.add(started);
    return started;
  }

  @AfterEach
  void endMembers() {
    members.forEach(SpaceMember::kill);
  }

  private CompletableFuture<Reply> asks(SpaceMember member, Command command) {
    long number = ++sequence;
    return member.ask(
        Routing.home(session, command, CELLS),
        caller -> new Message.Request(caller, session, number, number, command));
  }

  private static CompletableFuture<Long> opens(SpaceMember member) {
    return member.open(new SessionName("test", 1), 0, true, event -> {});
  }

  private static Command write(int number) {
    return new Command.Write(
        "market", List.of(EntryCodec.encode(new Leaf(number))), List.of(Long.MAX_VALUE), 0);
  }

  private static Command contents(String cursor, int limit) {
    return new Command.Contents("market", List.of(EntryCodec.encode(new Leaf())), 0, cursor, limit);
  }

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private List<EncodedEntry> listing(SpaceMember member) throws Exception {
    List<EncodedEntry> found = new ArrayList<>();
    String cursor = "";
    do {
      Reply.Listed page = (Reply.Listed) get(asks(member, contents(cursor, PAGE)));
      found.addAll(page.entries());
      cursor = page.cursor();
    } while (!cursor.isEmpty());
    return found;
  }

  private long inputs() {
    return IntStream.range(0, CELLS).mapToLong(this::inputsOf).sum();
  }

  private long inputsOf(int cell) {
    List<byte[]> parts = new ArrayList<>();
    CellHost host = members.get(0).cells().host(cell);
    host.turn().now(() -> host.image().forEach(chunk -> parts.add(chunk.bytes())));
    return Cell.load(parts.iterator()).inputs();
  }

  @Test
  void aListingOverTwoMembersShowsAllAndIsNoInputOfAnyCell() throws Exception {
    MemberSettings founding = MemberSettings.founding("test", Secret.random());
    SpaceMember first = starts(founding, Keeping.NOTHING);
    SpaceMember second = starts(founding.joining(List.of(first.address())), Keeping.NOTHING);
    await().atMost(PATIENCE).until(() -> first.isSettled() && second.isSettled());
    session = get(opens(first));
    for (int number = 0; number < ENTRIES; number++) {
      assertThat(get(asks(first, write(number)))).isInstanceOf(Reply.Written.class);
    }
    // The first request to a cell says that the session lives.
    assertThat(listing(first)).hasSize(ENTRIES);
    long before = inputs();
    for (int round = 0; round < ROUNDS; round++) {
      SpaceMember member = members.get(round % members.size());
      assertThat(listing(member)).hasSize(ENTRIES).doesNotHaveDuplicates();
    }
    // Cells may acknowledge letters of before; as inputs, the pages alone would be more.
    assertThat(inputs() - before).isLessThan(ROUNDS * ENTRIES / PAGE);
  }

  @Test
  void aListingWaitsUntilWhatItShowsIsKept() throws Exception {
    SlowKeeping keeping = new SlowKeeping();
    SpaceMember member = starts(MemberSettings.alone(), keeping);
    session = get(opens(member));
    get(asks(member, write(1)));
    assertThat(listing(member)).hasSize(1);

    keeping.holds = true;
    CompletableFuture<Reply> written = asks(member, write(2));
    await().atMost(PATIENCE).until(() -> !keeping.waiting.isEmpty());
    CompletableFuture<Reply> listed = asks(member, contents("", 100));
    await()
        .during(Duration.ofMillis(300))
        .atMost(PATIENCE)
        .until(() -> !written.isDone() && !listed.isDone());
    keeping.goesOn();
    assertThat(((Reply.Listed) get(listed)).entries()).hasSize(2);
    assertThat(get(written)).isInstanceOf(Reply.Written.class);
  }

  /** Keeps what it is told when it is told to. */
  private static final class SlowKeeping implements Keeping {
    final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    volatile boolean holds;

    void goesOn() {
      holds = false;
      for (Runnable kept = waiting.poll(); kept != null; kept = waiting.poll()) {
        kept.run();
      }
    }

    @Override
    public boolean isDurable() {
      return true;
    }

    @Override
    public void keep(int cell, List<Input> inputs, Runnable kept) {
      if (holds) {
        waiting.add(kept);
      } else {
        kept.run();
      }
    }

    @Override
    public boolean isHeldUp() {
      return false;
    }

    @Override
    public List<Restored> restore(String member) {
      return List.of();
    }

    @Override
    public void found(List<Cell> cells) {}

    @Override
    public void imagesFrom(IntConsumer wanted) {}

    @Override
    public CompletableFuture<Void> keepImage(Cell cell, int index) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void whenDeposed(Runnable heard) {}

    @Override
    public void close() {}
  }
}

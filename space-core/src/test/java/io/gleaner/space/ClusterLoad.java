package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;

/**
 * Clients that write and take all the time while something happens to the members, and the history
 * of what they were told: an acknowledged write is taken by one client, once.
 */
public final class ClusterLoad implements AutoCloseable {
  private static final String SPACE = "ada/load";
  private static final int TOPICS = 40;
  private static final int PIPELINED = 16;
  private static final int MOST_WAITING = 2_000;
  private static final long END_SECONDS = 120;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<Void>> running = new ArrayList<>();
  private final List<TupleSpace> spaces = new ArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicLong operations = new AtomicLong();
  private final Set<Integer> written = ConcurrentHashMap.newKeySet();
  private final Map<Integer, AtomicInteger> taken = new ConcurrentHashMap<>();
  private volatile boolean writing = true;
  private volatile boolean taking = true;

  /** Two writers and two takers in that member; one of the takers takes whatever comes. */
  public void runsOn(SpaceEngine member) throws Exception {
    run(member, this::write);
    run(member, this::write);
    run(member, space -> take(space, null));
    run(member, this::takeByTopic);
  }

  /** A writer and a taker that do not wait for one answer before they ask the next question. */
  public void pipelinesOn(SpaceEngine member) throws Exception {
    for (boolean writes : new boolean[] {true, false}) {
      long session = member.open("load", event -> {}).get(END_SECONDS, TimeUnit.SECONDS);
      running.add(
          threads.submit(
              () -> {
                pipeline(member, session, writes);
                return null;
              }));
    }
  }

  /** A question under way and what it writes. */
  private record Asked(int number, CompletableFuture<Reply> reply) {}

  private void pipeline(SpaceEngine member, long session, boolean writes) throws Exception {
    Deque<Asked> asked = new ArrayDeque<>();
    for (long sequence = 1; writes ? writing : taking; sequence++) {
      boolean write = writes && !isBehind();
      int number = write ? numbers.incrementAndGet() : 0;
      EncodedEntry entry = EntryCodec.encode(write ? new Note("pipelined", number) : new Note());
      Command command =
          write
              ? new Command.Write(SPACE, List.of(entry), List.of(Lease.FOREVER), 0)
              : new Command.Match(SPACE, Command.Mode.TAKE, List.of(entry), 0, 20, 1);
      long low = sequence - asked.size();
      asked.add(new Asked(number, member.execute(session, sequence, low, command)));
      if (asked.size() == PIPELINED) {
        hear(asked.remove());
      }
    }
    while (!asked.isEmpty()) {
      hear(asked.remove());
    }
    member.close(session).get(END_SECONDS, TimeUnit.SECONDS);
  }

  private void hear(Asked asked) throws Exception {
    Reply reply = asked.reply().get(END_SECONDS, TimeUnit.SECONDS);
    if (reply instanceof Reply.Matched matched) {
      for (EncodedEntry found : matched.entries()) {
        note(EntryCodec.decode(found, ClusterLoad.class.getClassLoader()));
      }
    } else {
      assertThat(reply).isInstanceOf(Reply.Written.class);
      written.add(asked.number());
      operations.incrementAndGet();
    }
  }

  private interface Client {
    void run(TupleSpace space) throws Exception;
  }

  private void run(SpaceEngine member, Client client) throws Exception {
    TupleSpace space = SpaceClient.open(member, SPACE, "load");
    spaces.add(space);
    Callable<Void> work =
        () -> {
          client.run(space);
          return null;
        };
    running.add(threads.submit(work));
  }

  private void write(TupleSpace space) throws Exception {
    while (writing) {
      if (isBehind()) {
        note(space.take(new SpreadNote(), null, 20));
        continue;
      }
      int number = numbers.incrementAndGet();
      Entry entry =
          number % 3 == 0
              ? new Note("topic" + number % TOPICS, number)
              : new SpreadNote("topic" + number % TOPICS, number);
      space.write(entry, null, Lease.FOREVER);
      written.add(number);
      operations.incrementAndGet();
    }
  }

  /** Whether the takers do not keep up with the writers. */
  private boolean isBehind() {
    return written.size() - taken.size() > MOST_WAITING;
  }

  private void takeByTopic(TupleSpace space) throws Exception {
    for (int turn = 0; taking; turn++) {
      note(space.take(new SpreadNote("topic" + turn % TOPICS, null), null, 20));
    }
  }

  private void take(TupleSpace space, Entry template) throws Exception {
    while (taking) {
      note(space.take(template, null, 100));
    }
  }

  private void note(Entry found) {
    if (found != null) {
      Integer number = found instanceof SpreadNote spread ? spread.number : ((Note) found).number;
      taken.computeIfAbsent(number, n -> new AtomicInteger()).incrementAndGet();
      operations.incrementAndGet();
    }
  }

  /** Operations that were acknowledged until now. */
  public long operations() {
    return operations.get();
  }

  /** Waits until so many more operations were acknowledged. */
  public void goesOnFor(long more) {
    long goal = operations.get() + more;
    await().atMost(Duration.ofSeconds(END_SECONDS)).until(() -> operations.get() >= goal);
  }

  /** Ends the clients, takes what is left, and compares all of it. */
  public void endsWithEveryEntryTakenOnce() throws Exception {
    writing = false;
    taking = false;
    for (Future<Void> each : running) {
      each.get(END_SECONDS, TimeUnit.SECONDS);
    }
    TupleSpace last = spaces.get(0);
    Collection<?> found;
    do {
      found = last.take(Collections.singleton(null), null, 0, 500);
      found.forEach(entry -> note((Entry) entry));
    } while (!found.isEmpty());
    assertThat(taken.keySet()).as("what was taken").isEqualTo(written);
    assertThat(taken.values().stream().filter(times -> times.get() > 1).count())
        .as("entries taken twice")
        .isZero();
  }

  @Override
  public void close() {
    writing = false;
    taking = false;
    threads.shutdownNow();
  }
}

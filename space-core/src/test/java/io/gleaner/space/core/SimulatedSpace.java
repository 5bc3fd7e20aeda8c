package io.gleaner.space.core;

import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Cells, the network between them and a clock, in one thread. Everything comes from one seed: in
 * what order messages arrive, which requests and answers of clients are lost, and when time passes.
 */
final class SimulatedSpace implements Outbox {
  private static final long MILLI = 1_000_000;
  private static final long HOUR = 3_600_000 * MILLI;

  /** How the network picks the next message to arrive. */
  private enum Network {
    ANY,
    MOSTLY_NEWEST,
    MOSTLY_OLDEST
  }

  final SplittableRandom random;
  final Account account;
  private final Cell[] cells;
  private final Network network;
  private final List<Runnable> inFlight = new ArrayList<>();
  private boolean lossy = true;
  private long nanos = 1;
  private long steps;
  private int names = 1;
  private long digest;

  SimulatedSpace(long seed) {
    random = new SplittableRandom(seed);
    account = new Account(this);
    network = Network.values()[random.nextInt(Network.values().length)];
    cells = new Cell[1 + random.nextInt(6)];
    for (int i = 0; i < cells.length; i++) {
      CellKey key = new CellKey(random.nextLong(), random.nextLong());
      cells[i] = new Cell(i, cells.length, key, Limits.DEFAULT);
    }
  }

  long nanos() {
    return nanos;
  }

  /** Counts everything that happens; says what was before what. */
  long step() {
    return steps;
  }

  /** The same for two runs that went the same way. */
  long digest() {
    return digest;
  }

  /** Named spaces so far; classes become known anew in each. */
  List<String> names() {
    return IntStream.range(0, names).mapToObj(i -> "space" + i).toList();
  }

  void nextName() {
    names++;
  }

  /** Most often the newest. */
  String anyName() {
    return "space" + (chance(0.8) ? names - 1 : random.nextInt(names));
  }

  int cells() {
    return cells.length;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  // The network.

  @Override
  public void send(int cell, Message message) {
    inFlight.add(() -> deliver(cell, message));
  }

  /** A client's request: it may be lost, and may arrive twice. */
  void request(SimulatedClient.Operation operation) {
    if (lossy && chance(0.05)) {
      return;
    }
    int copies = lossy && chance(0.1) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      Message.Request request =
          new Message.Request(
              new SimulatedClient.Asking(operation),
              operation.session,
              operation.sequence,
              operation.client.lowestUnheard(),
              operation.command);
      send(Routing.home(operation.session, operation.command, cells.length), request);
    }
  }

  private void deliver(int cell, Message message) {
    steps++;
    digest = digest * 31 + cell * 7L + message.getClass().getSimpleName().hashCode();
    cells[cell].deliver(message, nanos, this);
  }

  @Override
  public void answer(Caller caller, Reply reply) {
    SimulatedClient.Operation operation = ((SimulatedClient.Asking) caller).operation();
    digest = digest * 31 + reply.getClass().getSimpleName().hashCode();
    account.answered(operation, reply);
    if (!lossy || !chance(0.05)) {
      inFlight.add(() -> operation.client.hears(operation));
    }
  }

  @Override
  public void opened(Caller caller, long session) {
    inFlight.add(() -> ((SimulatedClient.Opening) caller).client().opened(session));
  }

  @Override
  public void closed(Caller caller) {}

  @Override
  public void event(long session, SpaceEvent event) {
    account.heard(event);
  }

  /** Lets one message arrive; false if none is on its way. */
  boolean arrive() {
    if (inFlight.isEmpty()) {
      return false;
    }
    int last = inFlight.size() - 1;
    int chosen =
        switch (network) {
          case ANY -> random.nextInt(last + 1);
          case MOSTLY_NEWEST -> chance(0.8) ? last : random.nextInt(last + 1);
          case MOSTLY_OLDEST -> chance(0.8) ? 0 : random.nextInt(last + 1);
        };
    Runnable message = inFlight.remove(chosen);
    message.run();
    return true;
  }

  /** Lets everything arrive that is on its way or follows from it, and loses nothing. */
  void calm(List<SimulatedClient> clients) {
    lossy = false;
    clients.forEach(SimulatedClient::retryAll);
    while (arrive()) {}
    clients.forEach(SimulatedClient::retryAll);
    while (arrive()) {}
    lossy = true;
  }

  // Time.

  void timePasses() {
    steps++;
    nanos += chance(0.02) ? HOUR : chance(0.2) ? random.nextLong(400 * MILLI) : MILLI;
    if (chance(0.8)) {
      wakeUp();
    }
  }

  void jump(long hours) {
    nanos += hours * HOUR;
    wakeUp();
  }

  private void wakeUp() {
    int first = random.nextInt(cells.length);
    for (int i = 0; i < cells.length; i++) {
      Cell cell = cells[(first + i) % cells.length];
      if (cell.nextDeadline() <= nanos) {
        cell.wakeUp(nanos, this);
      }
    }
  }

  /** What all cells hold together. */
  Census census() {
    Census sum = Census.NOTHING;
    for (Cell cell : cells) {
      sum = sum.plus(cell.census());
    }
    return sum;
  }
}

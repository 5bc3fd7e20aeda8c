package io.gleaner.space.core;

import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
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
  private static final Limits LONG_SESSIONS =
      Limits.DEFAULT.withSessionLeaseMillis(24 * HOUR / MILLI);

  /** What is wrong with the cells or their host: a run must notice. */
  enum Fault {
    NONE,
    /** A letter that comes again is read again. */
    READS_LETTERS_AGAIN,
    /** A letter is acknowledged and never read. */
    ACKNOWLEDGES_UNREAD,
    /** The record of an operation is gone when it is asked again. */
    FORGETS_RECORDS,
    /** What a cell says leaves it before its input is secured. */
    SPEAKS_TOO_EARLY,
    /** Of what is on disk, the last inputs are not read. */
    RESTARTS_FROM_IMAGES,
    /** Entries of transient classes come back after a restart. */
    KEEPS_TRANSIENT,
    /** A session is said to have a new lease and has none. */
    RENEWS_NOTHING,
    /** Sessions of clients that are gone are kept alive. */
    KEEPS_THE_DEAD,
    /** What is reserved counts as taken although its client has not said that it has it. */
    TAKES_WITHOUT_RECEIPT,
    /** A receipt is acknowledged and comes to nothing. */
    LOSES_RECEIPTS,
    /** What is reserved stays so although nobody gives a receipt. */
    KEEPS_RESERVED
  }

  /** How the network picks the next message to arrive. */
  private enum Network {
    ANY,
    MOSTLY_NEWEST,
    MOSTLY_OLDEST
  }

  final SplittableRandom random;
  final Account account;
  private final SimulatedCell[] cells;
  private final Network network;
  private final Fault fault;
  private final boolean longSessions;
  private final long receiptMillis;
  private final List<Runnable> inFlight = new ArrayList<>();

  /** What is secured is on disk in the order in which it happened; else each cell has its own. */
  private final boolean durable;

  private final List<SimulatedCell> unsecured = new ArrayList<>();
  private boolean lossy = true;
  private long nanos = 1;
  private long steps;
  private int names = 1;
  private long digest;
  private int forgets;

  SimulatedSpace(long seed, Fault fault) {
    this.fault = fault;
    random = new SplittableRandom(seed);
    longSessions = chance(0.1);
    account = new Account(this);
    network = Network.values()[random.nextInt(Network.values().length)];
    durable = random.nextBoolean();
    Limits limits = longSessions ? LONG_SESSIONS : Limits.DEFAULT;
    receiptMillis = limits.receiptMillis();
    if (fault == Fault.KEEPS_RESERVED) {
      limits = limits.withReceiptMillis(24 * HOUR / MILLI);
    }
    cells = new SimulatedCell[1 + random.nextInt(6)];
    for (int i = 0; i < cells.length; i++) {
      CellKey key = new CellKey(random.nextLong(), random.nextLong());
      cells[i] = new SimulatedCell(new Cell(i, cells.length, key, limits), limits, this);
    }
  }

  /** Whether clients stay for long, so that their records must be forgotten. */
  boolean isLong() {
    return longSessions;
  }

  /** How many cells were told that they may forget records. */
  int forgets() {
    return forgets;
  }

  long nanos() {
    return nanos;
  }

  /** Whether what was reserved at that time has gone back if nobody gave a receipt. */
  boolean isOverdue(long reservedNanos) {
    return nanos >= reservedNanos + receiptMillis * MILLI;
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

  /** A message between cells: it may be lost, and may arrive twice. */
  @Override
  public void send(int cell, Message message) {
    for (int copies = copies(); copies > 0; copies--) {
      post(cell, message);
    }
  }

  private int copies() {
    return !lossy ? 1 : chance(0.03) ? 0 : chance(0.05) ? 2 : 1;
  }

  /** To a cell, however long it takes. */
  void post(int cell, Message message) {
    inFlight.add(() -> deliver(cell, message));
  }

  /** To a cell: it may be lost, and may arrive twice. */
  void postAnyhow(int cell, Message message) {
    send(cell, message);
  }

  /** A client's request: it may be lost, and may arrive twice. */
  void request(Operation operation) {
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
              operation.command,
              operation.receipt());
      post(Routing.home(operation.session, operation.command, cells.length), request);
    }
  }

  private void deliver(int cell, Message message) {
    steps++;
    digest = digest * 31 + cell * 7L + message.getClass().getSimpleName().hashCode();
    if (message instanceof Message.Letter letter) {
      forgets += letter.content() instanceof Message.Forget ? 1 : 0;
      if (fault == Fault.READS_LETTERS_AGAIN && chance(0.02)) {
        input(cell, new Input.Deliver(letter.content()));
      }
      if (fault == Fault.ACKNOWLEDGES_UNREAD && chance(0.02)) {
        send(letter.from(), new Message.Received(cell, letter.number()));
        return;
      }
    }
    if (fault == Fault.FORGETS_RECORDS && message instanceof Message.Request m && chance(0.02)) {
      long another = m.sequence() + SpaceEngine.WINDOW / 2;
      input(
          cell,
          new Input.Deliver(
              new Message.Request(m.caller(), m.session(), another, m.low(), m.command())));
    }
    if (message instanceof Message.Request m && isReceiptMishandled(cell, m)) {
      return;
    }
    if (fault == Fault.RENEWS_NOTHING && message instanceof Message.Open m && !m.begins()) {
      SimulatedClient.Opening asked = (SimulatedClient.Opening) m.caller();
      account.sessions().renewed(asked.client().session(), asked.sentNanos(), 60_000);
      return;
    }
    input(cell, new Input.Deliver(message));
  }

  private boolean isReceiptMishandled(int cell, Message.Request m) {
    if (fault == Fault.TAKES_WITHOUT_RECEIPT && m.receipt() == Receipt.AWAITED) {
      input(cell, new Input.Deliver(m));
      input(
          cell,
          new Input.Deliver(
              new Message.Request(
                  m.caller(), m.session(), m.sequence(), m.low(), m.command(), Receipt.GIVEN)));
      return true;
    }
    if (fault == Fault.LOSES_RECEIPTS && m.receipt() == Receipt.GIVEN) {
      answer(m.caller(), new Reply.Done());
      return true;
    }
    return false;
  }

  private void input(int cell, Input.Step step) {
    cells[cell].input(step, nanos, fault == Fault.SPEAKS_TOO_EARLY);
    unsecured.add(cells[cell]);
    if (chance(0.7)) {
      secure();
    }
  }

  /** The oldest input of all, or of one cell, can no longer be lost. */
  private boolean secure() {
    if (unsecured.isEmpty()) {
      return false;
    }
    SimulatedCell cell = unsecured.remove(durable ? 0 : random.nextInt(unsecured.size()));
    cell.secure();
    if (chance(0.01)) {
      cell.checkpoint();
    }
    return true;
  }

  // Faults.

  /** A cell goes on with its replica. */
  void takeOver() {
    steps++;
    int cell = random.nextInt(cells.length);
    unsecured.removeIf(each -> each == cells[cell]);
    cells[cell].isTakenOver(nanos);
    unsecured.add(cells[cell]);
    account.leasesRestarted(cell);
    listen(cell);
  }

  /** Nobody is told what a cell decides now, but the account must know. */
  private void listen(int cell) {
    for (Operation each : account.undecided()) {
      if (Routing.home(each.session, each.command, cells.length) == cell) {
        Caller deaf = new SimulatedClient.Deaf(each);
        input(
            cell,
            new Input.Deliver(
                new Message.Request(
                    deaf, each.session, each.sequence, 1, each.command, each.asked())));
      }
    }
  }

  /** Everything stops, and what is on disk starts again; clients come back. */
  void restart() {
    if (!durable) {
      return;
    }
    steps++;
    unsecured.clear();
    inFlight.removeIf(message -> chance(0.7));
    for (SimulatedCell cell : cells) {
      cell.isRestarted(nanos, fault);
      unsecured.add(cell);
    }
    account.restarted();
    for (int i = 0; i < cells.length; i++) {
      listen(i);
    }
  }

  @Override
  public void answer(Caller caller, Reply reply) {
    digest = digest * 31 + reply.getClass().getSimpleName().hashCode();
    if (caller instanceof SimulatedClient.Deaf deaf) {
      account.answered(deaf.operation(), reply);
      return;
    }
    Operation operation = ((SimulatedClient.Asking) caller).operation();
    account.answered(operation, reply);
    if (!lossy || !chance(0.05)) {
      inFlight.add(
          () -> {
            if (reply instanceof Reply.Reserved) {
              operation.client.hearsOfReserved(operation);
            } else if (Account.saysThatSessionEnded(reply)) {
              operation.client.ended(operation);
            } else {
              operation.client.hears(operation);
            }
          });
    }
  }

  @Override
  public void opened(Caller caller, long session, long leaseMillis) {
    SimulatedClient.Opening asked = (SimulatedClient.Opening) caller;
    if (session != 0) {
      account.sessions().renewed(session, asked.sentNanos(), leaseMillis);
    }
    if (!lossy || !chance(0.05)) {
      inFlight.add(() -> asked.client().opened(session, asked));
    }
  }

  @Override
  public void closed(Caller caller) {
    SimulatedClient.Closing closing = (SimulatedClient.Closing) caller;
    inFlight.add(() -> closing.client().closed(closing.session()));
  }

  @Override
  public void event(long session, SpaceEvent event) {
    account.heard(event);
  }

  /** Lets one message arrive; false if none is on its way. */
  boolean arrive() {
    if (inFlight.isEmpty()) {
      return secure();
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
    for (int i = 0; i < 3; i++) {
      clients.forEach(SimulatedClient::retryAll);
      while (arrive()) {}
      nanos += 2_100 * MILLI;
      wakeUp();
      while (arrive()) {}
    }
    for (SimulatedCell cell : cells) {
      cell.compare();
    }
    account.calmed();
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
    if (fault == Fault.KEEPS_THE_DEAD) {
      account.sessions().numbers().forEach(this::renewTheDead);
    }
    int first = random.nextInt(cells.length);
    for (int i = 0; i < cells.length; i++) {
      int cell = (first + i) % cells.length;
      if (cells[cell].owner().nextDeadline() <= nanos) {
        input(cell, new Input.WakeUp());
      }
    }
  }

  private void renewTheDead(long session) {
    int home = Routing.homeOf(session, cells.length);
    input(home, new Input.Deliver(new Message.Renew(List.of(session))));
  }

  /** What all cells hold together. */
  Census census() {
    Census sum = Census.NOTHING;
    for (SimulatedCell cell : cells) {
      sum = sum.plus(cell.owner().census());
    }
    return sum;
  }
}

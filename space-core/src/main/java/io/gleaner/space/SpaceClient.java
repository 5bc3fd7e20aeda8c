package io.gleaner.space;

import io.gleaner.leasing.Ticker;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.core.Limits;
import java.rmi.MarshalledObject;
import java.rmi.RemoteException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.event.EventRegistration;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.TransactionFactory;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.entry.UnusableEntriesException;
import net.jini.space.MatchSet;

/**
 * The JavaSpaces face of one named space, the same over the node's own engine and over a
 * connection. Safe for all threads. Source: JavaSpaces specification, JS.2, and JavaSpace05.
 */
public final class SpaceClient implements TupleSpace {
  private static final int PAGE = 500;
  private static final int MOST_TAKEN = 10_000;

  private final String space;
  private final Lanes lanes;
  private final InstantSource clock;
  private final SpaceTransactions transactions;
  private final Trails trails = new Trails();
  private final Audience audience;

  private SpaceClient(SpaceEngine engine, String space, String holder, ForeignManagers foreign)
      throws RemoteException {
    this.space = space;
    this.clock = InstantSource.system();
    this.audience = new Audience(this, space, holder, Ticker.system(), this::cancel);
    this.lanes = new Lanes(engine, holder, audience::heard);
    this.transactions = new SpaceTransactions(engine, lanes, clock, foreign);
  }

  /**
   * Opens a client of the named space.
   *
   * @param space 1 to 512 characters
   * @param holder who uses it, for logs and limits
   * @throws IllegalArgumentException if the name is empty or too long
   * @throws RemoteException if the engine opens no session
   */
  public static SpaceClient open(SpaceEngine engine, String space, String holder)
      throws RemoteException {
    return open(engine, space, holder, ForeignManagers.NONE);
  }

  /** As {@link #open(SpaceEngine, String, String)}, with other managers' transactions allowed. */
  public static SpaceClient open(
      SpaceEngine engine, String space, String holder, ForeignManagers foreign)
      throws RemoteException {
    return new SpaceClient(engine, requireName(space), holder, foreign);
  }

  /**
   * Refuses what can be no name of a space.
   *
   * @return the name
   */
  public static String requireName(String space) {
    if (space == null) {
      throw new NullPointerException("the name of a space is null");
    }
    if (space.isEmpty() || space.length() > Limits.NAME_LENGTH) {
      throw new IllegalArgumentException(
          "the name of a space has "
              + space.length()
              + " characters; expected 1 to "
              + Limits.NAME_LENGTH);
    }
    return space;
  }

  @Override
  public Lease write(Entry entry, Transaction transaction, long leaseMillis)
      throws TransactionException, RemoteException {
    return write(List.of(Arguments.requireEntry(entry)), transaction, List.of(leaseMillis)).get(0);
  }

  @Override
  @SuppressWarnings("rawtypes") // JavaSpace05 is older than generics
  public List<Lease> write(List entries, Transaction transaction, List leaseMillis)
      throws TransactionException, RemoteException {
    Objects.requireNonNull(entries, "the list of entries is null");
    Objects.requireNonNull(leaseMillis, "the list of leases is null");
    List<EncodedEntry> encoded = new ArrayList<>(entries.size());
    for (Object entry : entries) {
      encoded.add(Arguments.encode(Arguments.requireEntry(entry)));
    }
    List<Long> millis = new ArrayList<>(leaseMillis.size());
    for (Object each : leaseMillis) {
      millis.add(Arguments.requireLease(each));
    }
    if (encoded.isEmpty() || encoded.size() != millis.size()) {
      throw new IllegalArgumentException(
          encoded.size()
              + " entries with "
              + millis.size()
              + " leases; expected one of each or more");
    }
    Reply reply =
        Refusals.ofOperation(
            lanes.ask(
                new Command.Write(space, encoded, millis, transactions.numberOf(transaction))));
    List<Lease> leases = new ArrayList<>(encoded.size());
    for (Reply.Granted granted : ((Reply.Written) reply).leases()) {
      leases.add(new SpaceLease(lanes, clock, granted));
    }
    return leases;
  }

  @Override
  public Entry read(Entry template, Transaction transaction, long timeoutMillis)
      throws UnusableEntryException, TransactionException, InterruptedException, RemoteException {
    return one(Command.Mode.READ, template, transaction, timeoutMillis);
  }

  @Override
  public Entry readIfExists(Entry template, Transaction transaction, long timeoutMillis)
      throws UnusableEntryException, TransactionException, InterruptedException, RemoteException {
    return one(Command.Mode.READ_IF_EXISTS, template, transaction, timeoutMillis);
  }

  @Override
  public Entry take(Entry template, Transaction transaction, long timeoutMillis)
      throws UnusableEntryException, TransactionException, InterruptedException, RemoteException {
    return one(Command.Mode.TAKE, template, transaction, timeoutMillis);
  }

  @Override
  public Entry takeIfExists(Entry template, Transaction transaction, long timeoutMillis)
      throws UnusableEntryException, TransactionException, InterruptedException, RemoteException {
    return one(Command.Mode.TAKE_IF_EXISTS, template, transaction, timeoutMillis);
  }

  private Entry one(Command.Mode mode, Entry template, Transaction transaction, long timeoutMillis)
      throws UnusableEntryException, TransactionException, InterruptedException, RemoteException {
    List<EncodedEntry> found =
        match(mode, List.of(Arguments.encode(template)), transaction, timeoutMillis, 1);
    return found.isEmpty() ? null : EntryCodec.decode(found.get(0), Arguments.classesOf(template));
  }

  @Override
  @SuppressWarnings("rawtypes") // JavaSpace05 is older than generics
  public Collection<Entry> take(
      Collection templates, Transaction transaction, long timeoutMillis, long maxEntries)
      throws UnusableEntriesException, TransactionException, RemoteException {
    List<EncodedEntry> encoded = Arguments.encodeAll(templates);
    Arguments.requireMost(maxEntries);
    List<EncodedEntry> found;
    try {
      int limit = (int) Math.min(maxEntries, MOST_TAKEN);
      found = match(Command.Mode.TAKE, encoded, transaction, timeoutMillis, limit);
    } catch (InterruptedException e) {
      // This operation has no such exception: the thread keeps its flag, and nothing was taken.
      Thread.currentThread().interrupt();
      return List.of();
    }
    return decodeAll(found, Arguments.classesOf(templates));
  }

  private List<EncodedEntry> match(
      Command.Mode mode,
      List<EncodedEntry> templates,
      Transaction transaction,
      long timeoutMillis,
      int limit)
      throws TransactionException, InterruptedException, RemoteException {
    Arguments.requireTimeout(timeoutMillis);
    Command.Match match =
        new Command.Match(
            space,
            mode,
            templates,
            transactions.numberOf(transaction),
            timeoutMillis,
            limit,
            trails.lookFirst(templates));
    Reply reply = timeoutMillis == NO_WAIT ? lanes.ask(match) : lanes.askAndWait(match);
    List<EncodedEntry> found = ((Reply.Matched) Refusals.ofOperation(reply)).entries();
    trails.found(templates, found);
    return found;
  }

  @Override
  @SuppressWarnings("rawtypes") // JavaSpace05 is older than generics
  public MatchSet contents(
      Collection templates, Transaction transaction, long leaseMillis, long maxEntries)
      throws TransactionException, RemoteException {
    List<EncodedEntry> encoded = Arguments.encodeAll(templates);
    Arguments.requireMost(maxEntries);
    Arguments.requirePositiveLease(leaseMillis);
    long number = transactions.numberOf(transaction);
    Reply.Listed first = page(encoded, number, "");
    Listing listing =
        new Listing(
            cursor -> {
              try {
                return cursor.isEmpty() ? first : page(encoded, number, cursor);
              } catch (TransactionException e) {
                throw new RemoteException("the transaction of this listing is over", e);
              }
            },
            Arguments.classesOf(templates),
            maxEntries);
    listing.fetch();
    return listing;
  }

  private Reply.Listed page(List<EncodedEntry> templates, long transaction, String cursor)
      throws TransactionException, RemoteException {
    return (Reply.Listed)
        Refusals.ofOperation(
            lanes.ask(new Command.Contents(space, templates, transaction, cursor, PAGE)));
  }

  @Override
  @SuppressWarnings("rawtypes") // JavaSpace is older than generics
  public EventRegistration notify(
      Entry template,
      Transaction transaction,
      RemoteEventListener listener,
      long leaseMillis,
      MarshalledObject handback)
      throws TransactionException, RemoteException {
    return register(
        List.of(Arguments.encode(template)),
        transaction,
        listener,
        leaseMillis,
        false,
        new Audience.Wish(handback, false, Arguments.classesOf(template)));
  }

  @Override
  @SuppressWarnings("rawtypes") // JavaSpace05 is older than generics
  public EventRegistration registerForAvailabilityEvent(
      Collection templates,
      Transaction transaction,
      boolean visibilityOnly,
      RemoteEventListener listener,
      long leaseMillis,
      MarshalledObject handback)
      throws TransactionException, RemoteException {
    return register(
        Arguments.encodeAll(templates),
        transaction,
        listener,
        Arguments.requirePositiveLease(leaseMillis),
        visibilityOnly,
        new Audience.Wish(handback, true, Arguments.classesOf(templates)));
  }

  private EventRegistration register(
      List<EncodedEntry> templates,
      Transaction transaction,
      RemoteEventListener listener,
      long leaseMillis,
      boolean visibilityOnly,
      Audience.Wish wish)
      throws TransactionException, RemoteException {
    if (listener == null) {
      throw new NullPointerException("the listener is null");
    }
    Command.Register register =
        new Command.Register(
            space,
            templates,
            transactions.numberOf(transaction),
            wish.availability(),
            visibilityOnly,
            Arguments.requireLease(leaseMillis));
    return audience.joins(
        listener,
        wish,
        () -> (Reply.Registered) Refusals.ofOperation(lanes.ask(register)),
        (granted, keeper) -> new SpaceLease(lanes, clock, granted, keeper));
  }

  private void cancel(LeaseId lease) throws RemoteException {
    lanes.ask(new Command.CancelLease(lease));
  }

  /** What stands for this client in events that are sent. */
  NamedSpace named() {
    return audience.named();
  }

  @Override
  public TransactionManager transactions() {
    return transactions;
  }

  @Override
  public Transaction.Created begin(Duration lease) throws LeaseDeniedException, RemoteException {
    return TransactionFactory.create(transactions, Arguments.millis(lease));
  }

  @Override
  public Entry snapshot(Entry entry) {
    return new Snapshot(Arguments.encode(entry), Arguments.classesOf(entry));
  }

  @Override
  public void close() {
    lanes.close();
    audience.close();
  }

  private static Collection<Entry> decodeAll(List<EncodedEntry> found, ClassLoader classes)
      throws UnusableEntriesException {
    List<Entry> entries = new ArrayList<>(found.size());
    List<UnusableEntryException> unusable = new ArrayList<>();
    for (EncodedEntry each : found) {
      try {
        entries.add(EntryCodec.decode(each, classes));
      } catch (UnusableEntryException e) {
        unusable.add(e);
      }
    }
    if (!unusable.isEmpty()) {
      throw new UnusableEntriesException(
          unusable.size() + " of " + found.size() + " entries taken cannot be used",
          entries,
          unusable);
    }
    return entries;
  }
}

package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.notification.Listeners;
import io.gleaner.space.core.Limits;
import java.rmi.MarshalledObject;
import java.rmi.RemoteException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.event.EventRegistration;
import net.jini.core.event.RemoteEvent;
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
  private final Listeners listeners;
  private final EarlyEvents early = new EarlyEvents();
  private final Map<Long, Registered> registered = new ConcurrentHashMap<>();

  /** What an event needs to become one of the specification's. */
  private record Registered(
      MarshalledObject<?> handback, boolean availability, ClassLoader classes) {}

  private SpaceClient(SpaceEngine engine, String space, String holder, ForeignManagers foreign)
      throws RemoteException {
    this.space = space;
    this.clock = InstantSource.system();
    this.listeners = new Listeners(holder);
    this.lanes = new Lanes(engine, holder, this::heard);
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

  // Writing.

  @Override
  public Lease write(Entry entry, Transaction transaction, long leaseMillis)
      throws TransactionException, RemoteException {
    return write(List.of(requireEntry(entry)), transaction, List.of(leaseMillis)).get(0);
  }

  @Override
  @SuppressWarnings("rawtypes") // JavaSpace05 is older than generics
  public List<Lease> write(List entries, Transaction transaction, List leaseMillis)
      throws TransactionException, RemoteException {
    Objects.requireNonNull(entries, "the list of entries is null");
    Objects.requireNonNull(leaseMillis, "the list of leases is null");
    List<EncodedEntry> encoded = new ArrayList<>(entries.size());
    for (Object entry : entries) {
      encoded.add(encode(requireEntry(entry)));
    }
    List<Long> millis = new ArrayList<>(leaseMillis.size());
    for (Object each : leaseMillis) {
      millis.add(requireLease(each));
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

  private static Entry requireEntry(Object entry) {
    if (entry == null) {
      throw new NullPointerException("an entry to write is null; only templates may be");
    }
    Entry real = requireTemplate(entry);
    if (real instanceof Snapshot snapshot && snapshot.isAnything()) {
      throw new IllegalArgumentException(
          "a snapshot of null cannot be written; it is a template that matches everything");
    }
    return real;
  }

  private static Entry requireTemplate(Object template) {
    if (template != null && !(template instanceof Entry)) {
      throw new IllegalArgumentException(
          template.getClass().getName() + " does not implement net.jini.core.entry.Entry");
    }
    return (Entry) template;
  }

  private static long requireLease(Object millis) {
    if (millis == null) {
      throw new NullPointerException("a lease is null; expected milliseconds");
    }
    if (!(millis instanceof Long)) {
      throw new IllegalArgumentException("a lease of " + millis + "; expected a Long");
    }
    return requireLease((long) millis);
  }

  /** JavaSpace05's newer operations also refuse a lease of nothing. */
  private static long requirePositiveLease(long millis) {
    if (millis == 0) {
      throw new IllegalArgumentException(
          "a lease of 0 ms; expected more, Lease.ANY or Lease.FOREVER");
    }
    return requireLease(millis);
  }

  private static long requireLease(long millis) {
    if (millis < 0 && millis != Lease.ANY) {
      throw new IllegalArgumentException(
          "a lease of " + millis + " ms; expected 0 or more, Lease.ANY or Lease.FOREVER");
    }
    return millis;
  }

  // Reading and taking.

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
        match(mode, List.of(encode(template)), transaction, timeoutMillis, 1);
    return found.isEmpty() ? null : EntryCodec.decode(found.get(0), classesOf(template));
  }

  @Override
  @SuppressWarnings("rawtypes") // JavaSpace05 is older than generics
  public Collection<Entry> take(
      Collection templates, Transaction transaction, long timeoutMillis, long maxEntries)
      throws UnusableEntriesException, TransactionException, RemoteException {
    List<EncodedEntry> encoded = encodeAll(templates);
    if (maxEntries < 1) {
      throw new IllegalArgumentException("at most " + maxEntries + " entries; expected 1 or more");
    }
    List<EncodedEntry> found;
    try {
      int limit = (int) Math.min(maxEntries, MOST_TAKEN);
      found = match(Command.Mode.TAKE, encoded, transaction, timeoutMillis, limit);
    } catch (InterruptedException e) {
      // This operation has no such exception: the thread keeps its flag, and nothing was taken.
      Thread.currentThread().interrupt();
      return List.of();
    }
    return decodeAll(found, classesOf(templates));
  }

  private List<EncodedEntry> match(
      Command.Mode mode,
      List<EncodedEntry> templates,
      Transaction transaction,
      long timeoutMillis,
      int limit)
      throws TransactionException, InterruptedException, RemoteException {
    if (timeoutMillis < 0) {
      throw new IllegalArgumentException(
          "a time-out of " + timeoutMillis + " ms; expected NO_WAIT (0) or more");
    }
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
    List<EncodedEntry> encoded = encodeAll(templates);
    if (maxEntries < 1) {
      throw new IllegalArgumentException("at most " + maxEntries + " entries; expected 1 or more");
    }
    requirePositiveLease(leaseMillis);
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
            classesOf(templates),
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

  // Events.

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
        List.of(encode(template)),
        transaction,
        listener,
        leaseMillis,
        false,
        new Registered(handback, false, classesOf(template)));
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
        encodeAll(templates),
        transaction,
        listener,
        requirePositiveLease(leaseMillis),
        visibilityOnly,
        new Registered(handback, true, classesOf(templates)));
  }

  private EventRegistration register(
      List<EncodedEntry> templates,
      Transaction transaction,
      RemoteEventListener listener,
      long leaseMillis,
      boolean visibilityOnly,
      Registered as)
      throws TransactionException, RemoteException {
    if (listener == null) {
      throw new NullPointerException("the listener is null");
    }
    Command.Register register =
        new Command.Register(
            space,
            templates,
            transactions.numberOf(transaction),
            as.availability(),
            visibilityOnly,
            requireLease(leaseMillis));
    early.expect();
    Reply.Registered reply;
    try {
      reply = (Reply.Registered) Refusals.ofOperation(lanes.ask(register));
      long eventId = reply.eventId();
      listeners.add(eventId, listener);
      early.claim(eventId, event -> tell(event, as), () -> registered.put(eventId, as));
    } finally {
      early.expectNoMore();
    }
    SpaceLease lease = new SpaceLease(lanes, clock, reply.lease(), () -> forget(reply.eventId()));
    return new EventRegistration(reply.eventId(), this, lease, reply.sequence());
  }

  private void forget(long eventId) {
    registered.remove(eventId);
    listeners.remove(eventId);
  }

  private void heard(SpaceEvent event) {
    long id = event.eventId();
    if (registered.containsKey(id) || early.isClaimed(event, () -> registered.containsKey(id))) {
      Optional.ofNullable(registered.get(id)).ifPresent(as -> tell(event, as));
    }
  }

  private void tell(SpaceEvent event, Registered as) {
    listeners.tell(event.eventId(), id -> remoteEvent(event, as));
  }

  private RemoteEvent remoteEvent(SpaceEvent event, Registered as) {
    return as.availability() && event.entry().isPresent()
        ? new EntryAvailable(this, event, event.entry().get(), as.handback(), as.classes())
        : new RemoteEvent(this, event.eventId(), event.sequence(), as.handback());
  }

  // Transactions and the rest.

  @Override
  public TransactionManager transactions() {
    return transactions;
  }

  @Override
  public Transaction.Created begin(Duration lease) throws LeaseDeniedException, RemoteException {
    return TransactionFactory.create(transactions, lease.toMillis());
  }

  @Override
  public Entry snapshot(Entry entry) {
    return new Snapshot(encode(entry), classesOf(entry));
  }

  @Override
  public void close() {
    lanes.close();
    listeners.close();
  }

  private static EncodedEntry encode(Entry entry) {
    return entry instanceof Snapshot snapshot ? snapshot.encoded() : EntryCodec.encode(entry);
  }

  private static List<EncodedEntry> encodeAll(Collection<?> templates) {
    Objects.requireNonNull(
        templates, "the collection of templates is null; one of null matches all");
    if (templates.isEmpty()) {
      throw new IllegalArgumentException("no templates; expected at least one, null matches all");
    }
    List<EncodedEntry> encoded = new ArrayList<>(templates.size());
    for (Object template : templates) {
      encoded.add(encode(requireTemplate(template)));
    }
    return encoded;
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

  private static ClassLoader classesOf(Collection<?> templates) {
    return classesOf((Entry) templates.iterator().next());
  }

  private static ClassLoader classesOf(Entry template) {
    if (template instanceof Snapshot snapshot) {
      return snapshot.classes();
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (template != null && template.getClass().getClassLoader() != null) {
      return template.getClass().getClassLoader();
    }
    return context == null ? SpaceClient.class.getClassLoader() : context;
  }
}

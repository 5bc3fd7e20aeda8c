package io.gleaner.space;

import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.rmi.MarshalledObject;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import net.jini.core.entry.Entry;
import net.jini.core.event.EventRegistration;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;

/**
 * What stands for a client's space in an event that is sent to an exported listener: in the process
 * of the client it becomes the client again, anywhere else it only says which space that was. Safe
 * for all threads.
 *
 * @param client random, of one client
 * @param space the name of its space
 */
record NamedSpace(UUID client, String space) implements JavaSpace, Serializable {
  private static final long serialVersionUID = 1L;

  /** The clients of this process that have registered for events. */
  private static final Map<UUID, WeakReference<SpaceClient>> HERE = new ConcurrentHashMap<>();

  void standsFor(SpaceClient here) {
    HERE.computeIfAbsent(client, key -> new WeakReference<>(here));
  }

  void standsForNobody() {
    HERE.remove(client);
  }

  private Object readResolve() {
    WeakReference<SpaceClient> known = HERE.get(client);
    SpaceClient here = known == null ? null : known.get();
    return here == null ? this : here;
  }

  private RemoteException elsewhere() {
    return new RemoteException(
        "this is the name of the space '"
            + space
            + "' of another process, as the source of an event; open the space to work with it");
  }

  @Override
  public Lease write(Entry entry, Transaction transaction, long leaseMillis)
      throws RemoteException {
    throw elsewhere();
  }

  @Override
  public Entry read(Entry template, Transaction transaction, long timeoutMillis)
      throws RemoteException {
    throw elsewhere();
  }

  @Override
  public Entry readIfExists(Entry template, Transaction transaction, long timeoutMillis)
      throws RemoteException {
    throw elsewhere();
  }

  @Override
  public Entry take(Entry template, Transaction transaction, long timeoutMillis)
      throws RemoteException {
    throw elsewhere();
  }

  @Override
  public Entry takeIfExists(Entry template, Transaction transaction, long timeoutMillis)
      throws RemoteException {
    throw elsewhere();
  }

  @Override
  @SuppressWarnings("rawtypes") // JavaSpace is older than generics
  public EventRegistration notify(
      Entry template,
      Transaction transaction,
      RemoteEventListener listener,
      long leaseMillis,
      MarshalledObject handback)
      throws RemoteException {
    throw elsewhere();
  }

  @Override
  public Entry snapshot(Entry entry) throws RemoteException {
    throw elsewhere();
  }
}

package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.matching.EntryType;
import java.io.Serializable;
import java.rmi.MarshalledObject;
import java.util.List;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.space.AvailabilityEvent;
import net.jini.space.JavaSpace;

/**
 * An availability event with the entry that became available. It is sent with the bytes of the
 * entry, whose class is looked up where the listener was exported.
 */
final class EntryAvailable extends AvailabilityEvent {
  private static final long serialVersionUID = 2L;
  private final Sent sent;
  private final transient ClassLoader classes;

  /** An entry on its way; the space's own record of one is no serialisable class. */
  private record Sent(
      String type,
      List<String> supertypes,
      List<String> fieldNames,
      int shardField,
      boolean transientEntries,
      byte[][] fields)
      implements Serializable {

    Sent(EncodedEntry entry) {
      this(
          entry.type().name(),
          entry.type().supertypes(),
          entry.type().fieldNames(),
          entry.type().shardField(),
          entry.type().transientEntries(),
          entry.fields());
    }

    EncodedEntry entry() {
      return new EncodedEntry(
          new EntryType(type, supertypes, fieldNames, shardField, transientEntries), fields);
    }
  }

  EntryAvailable(
      JavaSpace space,
      SpaceEvent event,
      EncodedEntry entry,
      MarshalledObject<?> handback,
      ClassLoader classes) {
    super(space, event.eventId(), event.sequence(), handback, event.becameVisible());
    this.sent = new Sent(entry);
    this.classes = classes;
  }

  /** The same, of another face of its space. */
  private EntryAvailable(EntryAvailable of, JavaSpace space, ClassLoader classes) {
    super(space, of.eventID, of.seqNum, of.handback, of.isVisibilityTransition());
    this.sent = of.sent;
    this.classes = classes;
  }

  @Override
  public Entry getEntry() throws UnusableEntryException {
    return EntryCodec.decode(sent.entry(), classes);
  }

  @Override
  public Entry getSnapshot() {
    return new Snapshot(sent.entry(), classes);
  }

  private Object writeReplace() {
    return source instanceof SpaceClient client
        ? new EntryAvailable(this, client.named(), classes)
        : this;
  }

  private Object readResolve() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return new EntryAvailable(
        this,
        (JavaSpace) source,
        context == null ? EntryAvailable.class.getClassLoader() : context);
  }
}

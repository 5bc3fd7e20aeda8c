package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import java.rmi.MarshalledObject;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.space.AvailabilityEvent;
import net.jini.space.JavaSpace;

/** An availability event with the entry that became available. */
final class EntryAvailable extends AvailabilityEvent {
  private static final long serialVersionUID = 1L;
  private final transient EncodedEntry entry;
  private final transient ClassLoader classes;

  EntryAvailable(
      JavaSpace space,
      SpaceEvent event,
      EncodedEntry entry,
      MarshalledObject<?> handback,
      ClassLoader classes) {
    super(space, event.eventId(), event.sequence(), handback, event.becameVisible());
    this.entry = entry;
    this.classes = classes;
  }

  @Override
  public Entry getEntry() throws UnusableEntryException {
    return EntryCodec.decode(entry, classes);
  }

  @Override
  public Entry getSnapshot() {
    return new Snapshot(entry, classes);
  }
}

package io.gleaner.space;

import java.rmi.MarshalledObject;
import net.jini.core.event.RemoteEvent;
import net.jini.space.JavaSpace;

/** An event of {@code notify}; it is sent with the name of its space. */
final class EntryWritten extends RemoteEvent {
  private static final long serialVersionUID = 1L;

  EntryWritten(JavaSpace space, long eventId, long sequence, MarshalledObject<?> handback) {
    super(space, eventId, sequence, handback);
  }

  private Object writeReplace() {
    return source instanceof SpaceClient client
        ? new EntryWritten(client.named(), eventID, seqNum, handback)
        : this;
  }
}

package io.gleaner.space.core;

import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;

/** Where a cell puts what follows from a message; the host carries it out. */
public interface Outbox {

  /**
   * To another cell: a {@link Message.Letter} or {@link Message.Received}, which may be lost,
   * repeated and overtaken.
   */
  void send(int cell, Message message);

  void answer(Caller caller, Reply reply);

  /** The session with the lease that it was granted; 0 if there is none of that name. */
  void opened(Caller caller, long session, long leaseMillis);

  void closed(Caller caller);

  /** A hint to a session; may be dropped. */
  void event(long session, SpaceEvent event);
}

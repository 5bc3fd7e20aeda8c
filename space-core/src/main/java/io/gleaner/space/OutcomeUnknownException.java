package io.gleaner.space;

import java.rmi.RemoteException;

/**
 * The operation was done or not, and nobody can tell: its session ended while it was under way, or
 * its thread was interrupted while the node was silent. It is not run again; what is asked next
 * goes on in a new session.
 */
public final class OutcomeUnknownException extends RemoteException {
  private static final long serialVersionUID = 1L;

  OutcomeUnknownException(String message) {
    super(message);
  }
}

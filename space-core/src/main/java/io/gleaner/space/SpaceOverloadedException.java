package io.gleaner.space;

import java.rmi.RemoteException;

/**
 * Too much is under way already, of this client or in the space. Nothing has changed; the same may
 * be asked again when some of it is answered.
 */
public final class SpaceOverloadedException extends RemoteException {
  private static final long serialVersionUID = 1L;

  SpaceOverloadedException(String message) {
    super(message);
  }
}

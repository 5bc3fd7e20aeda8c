package io.gleaner.jini;

import com.sun.jini.admin.DestroyAdmin;
import java.rmi.RemoteException;
import net.jini.admin.Administrable;

/**
 * One of River's own services.
 *
 * @param proxy what its clients call
 */
public record RiverPeer<T>(T proxy) implements AutoCloseable {

  /** Destroys the service with all that it holds; it ends a moment later. */
  @Override
  public void close() throws RemoteException {
    ((DestroyAdmin) ((Administrable) proxy).getAdmin()).destroy();
  }
}

package io.gleaner.jini;

import java.lang.reflect.Proxy;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.id.ReferentUuid;
import net.jini.jeri.BasicInvocationHandler;
import net.jini.jeri.BasicObjectEndpoint;

/** A transaction among those of all managers. */
record ForeignName(String manager, long id) {

  /**
   * Names the manager by its own identity, the same in every process.
   *
   * @throws TransactionException if its proxy has none
   */
  static ForeignName of(TransactionManager manager, long id) throws TransactionException {
    if (manager instanceof ReferentUuid known) {
      return new ForeignName(known.getReferentUuid().toString(), id);
    }
    if (Proxy.isProxyClass(manager.getClass())
        && Proxy.getInvocationHandler(manager) instanceof BasicInvocationHandler handler
        && handler.getObjectEndpoint() instanceof BasicObjectEndpoint endpoint) {
      return new ForeignName(endpoint.getObjectIdentifier().toString(), id);
    }
    throw new TransactionException(
        "the manager's proxy, a "
            + manager.getClass().getName()
            + ", has no identity; expected one with a ReferentUuid, or a JERI proxy");
  }
}

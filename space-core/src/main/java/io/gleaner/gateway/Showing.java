package io.gleaner.gateway;

import io.gleaner.secrets.Secret;
import javax.net.ssl.SSLContext;

/** How a client shows a gateway who it is, the other side of {@link Entrance}. */
sealed interface Showing {

  /** The secret of a join token, in clear text. */
  record Token(Secret secret, String name) implements Showing {}

  /**
   * A certificate of the pool, over TLS 1.3.
   *
   * @param refused learns which nodes are believed no more; the context asks it
   */
  record Certificate(SSLContext context, RefusedNodes refused) implements Showing {}
}

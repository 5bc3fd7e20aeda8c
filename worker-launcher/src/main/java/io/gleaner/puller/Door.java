package io.gleaner.puller;

import io.gleaner.blob.BlobStore;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayException;
import io.gleaner.secrets.Secret;
import io.gleaner.space.TupleSpace;
import java.util.List;

/** The way into a market. */
@FunctionalInterface
interface Door {

  /** One stay in the market, from the join to the end of the connection. */
  interface Stay extends AutoCloseable {

    /** The space in which the market lives. */
    TupleSpace space();

    BlobStore blobs();

    /** Who earns: the owner of the join token. */
    String owner();

    /** Whether the connection broke for good. */
    boolean over();

    @Override
    void close();
  }

  /**
   * Joins.
   *
   * @param addresses of nodes of one market, in the order in which they are tried
   * @throws GatewayException if nothing answers there or the token is refused
   */
  Stay enter(List<GatewayAddress> addresses, Secret token, String name);
}

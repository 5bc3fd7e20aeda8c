package io.gleaner.puller;

import io.gleaner.blob.BlobStore;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayException;
import io.gleaner.signing.ResultSigner;
import io.gleaner.space.TupleSpace;
import java.util.List;
import java.util.Optional;

/** The way into a market. */
@FunctionalInterface
interface Door {

  /** One stay in the market, from the join to the end of the connection. */
  interface Stay extends AutoCloseable {

    /** The space in which the market lives. */
    TupleSpace space();

    BlobStore blobs();

    /** What this launcher is called in the market. */
    String name();

    /** Who earns: the owner of the join token. */
    String owner();

    /** Signs results as this launcher; nothing if it has no certificate. */
    default ResultSigner signer() {
      return ResultSigner.NONE;
    }

    /** Whether the connection broke for good. */
    boolean over();

    /** Why the node ended the connection, if it did because of who this is. */
    Optional<GatewayException> refusal();

    @Override
    void close();
  }

  /**
   * Joins.
   *
   * @param addresses of nodes of one market, in the order in which they are tried
   * @throws GatewayException if nothing answers there or the token is refused
   * @throws io.gleaner.secrets.SecurityRefusal if there is no certificate and no token, or the
   *     market is not that of the token
   */
  Stay enter(List<GatewayAddress> addresses, JoinBy by);
}

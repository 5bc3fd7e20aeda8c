package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.spi.impl.operationservice.OperationService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends words to other members; what cannot be sent is lost. Safe for all threads. */
final class Post {
  private static final Logger LOG = LoggerFactory.getLogger(Post.class);

  private final OperationService operations;

  Post(OperationService operations) {
    this.operations = operations;
  }

  void send(Address member, int cell, Word word) {
    // An interrupted thread that writes to a connection closes it.
    boolean interrupted = Thread.interrupted();
    try {
      var unused = operations.send(new Dispatch(cell, word, false), member);
    } catch (HazelcastInstanceNotActiveException e) {
      LOG.debug("this member has ended before it could say something to {}", member, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import com.hazelcast.spi.impl.operationservice.OperationService;

/** Sends words to other members; what cannot be sent is lost. Safe for all threads. */
final class Post {
  private final OperationService operations;

  Post(OperationService operations) {
    this.operations = operations;
  }

  void send(Address member, int cell, Word word) {
    // An interrupted thread that writes to a connection closes it.
    boolean interrupted = Thread.interrupted();
    try {
      var unused = operations.send(new Dispatch(cell, word, false), member);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

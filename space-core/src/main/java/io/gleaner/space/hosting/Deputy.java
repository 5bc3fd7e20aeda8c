package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import io.gleaner.space.core.Caller;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Outbox;

/**
 * Who asked at the member of the replica is answered there, as soon as the replica has repeated the
 * input: by then both members have it, and the answer need not cross the network. One of the two
 * halves of what a cell says.
 */
final class Deputy implements Outbox {
  private final Outbox way;
  private final Address replica;
  private final boolean owner;

  private Deputy(Outbox way, Address replica, boolean owner) {
    this.way = way;
    this.replica = replica;
    this.owner = owner;
  }

  /** What the owner says: all but the answers to those who asked at the replica's member. */
  static Outbox ofOwner(Outbox way, Address replica) {
    return new Deputy(way, replica, true);
  }

  /** What the replica here says: answers to those who asked here. */
  static Outbox ofReplica(Outbox way, Address here) {
    return new Deputy(way, here, false);
  }

  private boolean says(Caller caller) {
    boolean askedAtReplica = caller instanceof Asker asker && asker.member().equals(replica);
    return askedAtReplica != owner;
  }

  @Override
  public void send(int cell, Message message) {
    if (owner) {
      way.send(cell, message);
    }
  }

  @Override
  public void answer(Caller caller, Reply reply) {
    if (says(caller)) {
      way.answer(caller, reply);
    }
  }

  @Override
  public void opened(Caller caller, long session, long leaseMillis) {
    if (says(caller)) {
      way.opened(caller, session, leaseMillis);
    }
  }

  @Override
  public void closed(Caller caller) {
    if (says(caller)) {
      way.closed(caller);
    }
  }

  @Override
  public void event(long session, SpaceEvent event) {
    if (owner) {
      way.event(session, event);
    }
  }
}

package io.gleaner.bench;

import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.TupleSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One of our spaces in this process. The engine is the caller's to close. */
final class EmbeddedPeer implements Peer {
  private final String name;
  private final SpaceEngine engine;
  private final String space;
  private final List<TupleSpace> clients = new ArrayList<>();

  EmbeddedPeer(String name, SpaceEngine engine, String space) {
    this.name = name;
    this.engine = engine;
    this.space = space;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Client client(int number) throws Exception {
    while (clients.size() <= number) {
      clients.add(SpaceClient.open(engine, space, "client-" + clients.size()));
    }
    TupleSpace client = clients.get(number);
    return new Client(client, Optional.of(client.transactions()), Optional.of(engine));
  }

  @Override
  public void close() {
    clients.forEach(TupleSpace::close);
  }
}

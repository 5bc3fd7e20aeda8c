package io.gleaner.bench;

import io.gleaner.gateway.GatewayConnection;
import io.gleaner.space.TupleSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** Clients of one space, each with one connection to a gateway. */
final class Connections implements Peer {
  private final String name;
  private final IntFunction<GatewayConnection> connects;
  private final List<GatewayConnection> open = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();

  /**
   * Connects when a client is asked for.
   *
   * @param connects gets the number of the client
   */
  Connections(String name, IntFunction<GatewayConnection> connects) {
    this.name = name;
    this.connects = connects;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Client client(int number) throws Exception {
    while (clients.size() <= number) {
      GatewayConnection connection = connects.apply(clients.size());
      open.add(connection);
      TupleSpace space = connection.space(GatewayPeer.SPACE);
      clients.add(
          new Client(space, Optional.of(space.transactions()), Optional.of(connection.engine())));
    }
    return clients.get(number);
  }

  @Override
  public void close() {
    open.forEach(GatewayConnection::close);
  }
}

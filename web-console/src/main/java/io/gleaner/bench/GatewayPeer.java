package io.gleaner.bench;

import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.secrets.Secret;
import io.gleaner.space.TupleSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Our space in another process, by one connection for each client. */
final class GatewayPeer implements Peer {
  private static final String SPACE = "bench";

  private final ChildJvm server;
  private final GatewayAddress address;
  private final Secret token;
  private final List<GatewayConnection> connections = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();

  private GatewayPeer(ChildJvm server, GatewayAddress address, Secret token) {
    this.server = server;
    this.address = address;
    this.token = token;
  }

  /** Starts the process; it keeps its files in the folder. */
  static GatewayPeer start(Path folder) throws IOException {
    Files.createDirectories(folder);
    ChildJvm server =
        ChildJvm.start(
            List.of(),
            System.getProperty("java.class.path"),
            folder.resolve("log"),
            SpaceServer.class.getName(),
            folder.toString());
    String[] told = server.firstLine().split(" ");
    return new GatewayPeer(
        server, new GatewayAddress("127.0.0.1", Integer.parseInt(told[0])), Secret.of(told[1]));
  }

  @Override
  public String name() {
    return "gateway";
  }

  @Override
  public Client client(int number) throws Exception {
    while (clients.size() <= number) {
      GatewayConnection connection =
          GatewayConnection.connect(address, token, "client-" + clients.size());
      connections.add(connection);
      TupleSpace space = connection.space(SPACE);
      clients.add(new Client(space, Optional.of(space.transactions())));
    }
    return clients.get(number);
  }

  @Override
  public void close() throws IOException {
    connections.forEach(GatewayConnection::close);
    server.close();
  }
}

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

/**
 * Our space in one process or several, which are members of one cluster; each client has one
 * connection, the clients of several members alternate between them.
 */
final class GatewayPeer implements Peer {
  static final String SPACE = "bench/space";

  /** A member in a process of its own. */
  private record Member(ChildJvm process, GatewayAddress gateway, Secret token, String address) {}

  private final String name;
  private final Path folder;
  private final Secret secret = Secret.random();
  private final List<Member> members = new ArrayList<>();
  private final List<GatewayConnection> connections = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();

  private final SpaceServer.Kind kind;

  private GatewayPeer(String name, Path folder, SpaceServer.Kind kind) {
    this.name = name;
    this.folder = folder;
    this.kind = kind;
  }

  /** Starts one process; all keep their files in the folder. */
  static GatewayPeer start(String name, Path folder) throws IOException {
    return start(name, folder, SpaceServer.Kind.IN_MEMORY);
  }

  /** Starts one process whose acknowledged changes are on disk; no other can join. */
  static GatewayPeer startDurable(String name, Path folder) throws IOException {
    return start(name, folder, SpaceServer.Kind.ON_DISK);
  }

  private static GatewayPeer start(String name, Path folder, SpaceServer.Kind kind)
      throws IOException {
    GatewayPeer peer = new GatewayPeer(name, folder, kind);
    peer.startMember("");
    return peer;
  }

  /** Starts another member; returns when everything has moved that should. */
  void join() throws IOException {
    startMember(" " + members.get(0).address());
    members.get(members.size() - 1).process().line();
  }

  private void startMember(String join) throws IOException {
    Path its = Files.createDirectories(folder.resolve(name + members.size()));
    ChildJvm process =
        ChildJvm.start(
            SpaceServer.class,
            its.resolve("log"),
            secret.reveal() + join,
            its.toString(),
            kind.name());
    String[] told = process.line().split(" ");
    GatewayAddress gateway = new GatewayAddress("127.0.0.1", Integer.parseInt(told[0]));
    members.add(new Member(process, gateway, Secret.of(told[1]), told[2]));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Client client(int number) throws Exception {
    while (clients.size() <= number) {
      Member member = members.get(clients.size() % members.size());
      GatewayConnection connection =
          GatewayConnection.connect(member.gateway(), member.token(), "client-" + clients.size());
      connections.add(connection);
      TupleSpace space = connection.space(SPACE);
      clients.add(
          new Client(space, Optional.of(space.transactions()), Optional.of(connection.engine())));
    }
    return clients.get(number);
  }

  @Override
  public void close() throws IOException {
    connections.forEach(GatewayConnection::close);
    for (Member member : members) {
      member.process().close();
    }
  }
}

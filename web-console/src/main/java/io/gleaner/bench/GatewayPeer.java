package io.gleaner.bench;

import io.gleaner.gateway.ConnectSettings;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.secrets.Secret;
import io.gleaner.tls.MemberFile;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * Our space in one process or several, which are members of one cluster; each client has one
 * connection, over TLS 1.3 with a certificate; the clients of several members alternate between
 * them.
 */
final class GatewayPeer implements Peer {
  static final String SPACE = "bench/space";

  /** A member in a process of its own. */
  private record Member(
      ChildJvm process,
      GatewayAddress gateway,
      SSLContext certificate,
      GatewayAddress clear,
      Secret token,
      String address) {}

  private final String name;
  private final Path folder;
  private final Secret secret = Secret.random();
  private final List<Member> members = new ArrayList<>();
  private final Connections clients;
  private final SpaceServer.Kind kind;

  private GatewayPeer(String name, Path folder, SpaceServer.Kind kind) {
    this.name = name;
    this.clients = new Connections(name, this::connect);
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
    MemberFile.Membership client =
        new MemberFile(its.resolve(SpaceServer.CLIENT), InstantSource.system())
            .read()
            .orElseThrow();
    SSLContext certificate =
        Tls.context(
            PoolKeys.of(client::credentials),
            PoolTrust.ofMember(client::trust, InstantSource.system()));
    members.add(
        new Member(process, at(told[0]), certificate, at(told[1]), Secret.of(told[2]), told[3]));
  }

  private static GatewayAddress at(String port) {
    return new GatewayAddress("127.0.0.1", Integer.parseInt(port));
  }

  @Override
  public String name() {
    return clients.name();
  }

  @Override
  public Client client(int number) throws Exception {
    return clients.client(number);
  }

  private GatewayConnection connect(int number) {
    Member member = members.get(number % members.size());
    return GatewayConnection.connect(
        List.of(member.gateway()), member.certificate(), ConnectSettings.usual());
  }

  /** The same space, of one member, by way of its gateway in clear text. */
  Peer inClearText(String itsName) {
    Member member = members.get(0);
    return new Connections(
        itsName,
        number -> GatewayConnection.connect(member.clear(), member.token(), "client-" + number));
  }

  @Override
  public void close() throws IOException {
    clients.close();
    for (Member member : members) {
      member.process().close();
    }
  }
}

package io.gleaner.gateway;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.Command;
import io.gleaner.tls.MemberFile;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.TrustOptions;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A process that opens connections, has each wait for an entry {@code idle-<number>}, keeps all of
 * them alive, and prints {@code answered <number>} or {@code broken <number> <why>}. Arguments:
 * port, number of connections, and folders with members' certificates, which are used in turn.
 * Confined to one event loop.
 */
public final class IdleClients {
  private static final int AT_A_TIME = 16;
  private static final long HOUR_MILLIS = 3_600_000;
  private static final long KEEP_ALIVE_MILLIS = 8_000;

  private final List<NetClient> members;
  private final int port;
  private final int connections;
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final List<Connection> open = new ArrayList<>();
  private int begun;

  private IdleClients(Vertx vertx, int port, int connections, List<NetClient> members) {
    this.members = members;
    this.port = port;
    this.connections = connections;
    vertx.setPeriodic(KEEP_ALIVE_MILLIS, timer -> open.forEach(Connection::ping));
  }

  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    vertx.runOnContext(
        v -> {
          List<NetClient> members = new ArrayList<>();
          for (String folder : List.of(args).subList(2, args.length)) {
            members.add(vertx.createNetClient(certificateIn(Path.of(folder))));
          }
          IdleClients all =
              new IdleClients(vertx, Integer.parseInt(args[0]), Integer.parseInt(args[1]), members);
          for (int i = 0; i < AT_A_TIME; i++) {
            all.next();
          }
        });
  }

  private static NetClientOptions certificateIn(Path folder) {
    MemberFile.Membership member =
        new MemberFile(folder, InstantSource.system()).read().orElseThrow();
    return new NetClientOptions()
        .setSsl(true)
        .setHostnameVerificationAlgorithm("")
        .setEnabledSecureTransportProtocols(Set.copyOf(Tls.PROTOCOLS))
        .setKeyCertOptions(KeyCertOptions.wrap(PoolKeys.of(member::credentials)))
        .setTrustOptions(
            TrustOptions.wrap(PoolTrust.ofMember(member::trust, InstantSource.system())));
  }

  private void next() {
    if (begun == connections) {
      return;
    }
    int number = begun++;
    members
        .get(number % members.size())
        .connect(port, "127.0.0.1")
        .onSuccess(socket -> new Connection(number, socket).begin())
        .onFailure(failure -> out.println("broken " + number + " " + failure));
  }

  private final class Connection {
    private final int number;
    private final NetSocket socket;
    private final FrameSplitter splitter = new FrameSplitter(1 << 20);

    Connection(int number, NetSocket socket) {
      this.number = number;
      this.socket = socket;
    }

    void begin() {
      socket.handler(this::received);
      socket.closeHandler(closed -> out.println("broken " + number + " closed"));
      send(RawClient.hello());
    }

    void ping() {
      send(Frames.client().setPing(Wire.Ping.getDefaultInstance()).build());
    }

    private String space = "";

    private void received(Buffer bytes) {
      splitter.add(bytes.getBytes());
      try {
        for (var frame = splitter.next(); frame.isPresent(); frame = splitter.next()) {
          answer(Frames.readServer(frame.get()));
        }
      } catch (FrameSplitter.FrameTooLarge | MalformedFrame e) {
        out.println("broken " + number + " " + e);
      }
    }

    private void answer(Wire.ServerFrame frame) {
      switch (frame.getBodyCase()) {
        case WELCOME -> {
          open.add(this);
          space = frame.getWelcome().getOwner() + "/s";
          send(RawClient.opening(1));
          next();
        }
        case SESSION_OPENED -> send(take());
        case EXECUTED -> out.println("answered " + number);
        case PONG -> {}
        default -> out.println("broken " + number + " " + frame);
      }
    }

    private Wire.ClientFrame take() {
      Command take =
          new Command.Match(
              space, Command.Mode.TAKE, List.of(Tuples.tuple("idle-" + number)), 0, HOUR_MILLIS, 1);
      return Frames.client().setExecute(CommandFrames.write(1, 1, 1, take)).build();
    }

    private void send(Wire.ClientFrame frame) {
      byte[] message = frame.toByteArray();
      var unused = socket.write(Buffer.buffer().appendInt(message.length).appendBytes(message));
    }
  }
}

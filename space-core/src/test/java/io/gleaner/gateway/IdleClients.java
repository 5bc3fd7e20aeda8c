package io.gleaner.gateway;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.secrets.Secret;
import io.gleaner.space.Command;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that opens connections, has each wait for an entry {@code idle-<number>}, keeps all of
 * them alive, and prints {@code answered <number>} or {@code broken <number> <why>}. Arguments:
 * port and number of connections; standard input: join tokens, one in a line, used in turn.
 * Confined to one event loop.
 */
public final class IdleClients {
  private static final int AT_A_TIME = 64;
  private static final long HOUR_MILLIS = 3_600_000;
  private static final long KEEP_ALIVE_MILLIS = 8_000;

  private final NetClient client;
  private final int port;
  private final int connections;
  private final List<Secret> tokens;
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final List<Connection> open = new ArrayList<>();
  private int begun;

  private IdleClients(Vertx vertx, int port, int connections, List<Secret> tokens) {
    this.client = vertx.createNetClient();
    this.port = port;
    this.connections = connections;
    this.tokens = tokens;
    vertx.setPeriodic(KEEP_ALIVE_MILLIS, timer -> open.forEach(Connection::ping));
  }

  public static void main(String[] args) throws IOException {
    List<Secret> tokens = new ArrayList<>();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      tokens.add(Secret.of(line));
    }
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    vertx.runOnContext(
        v -> {
          IdleClients all =
              new IdleClients(vertx, Integer.parseInt(args[0]), Integer.parseInt(args[1]), tokens);
          for (int i = 0; i < AT_A_TIME; i++) {
            all.next();
          }
        });
  }

  private void next() {
    if (begun == connections) {
      return;
    }
    int number = begun++;
    client
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
      send(RawClient.hello(tokens.get(number % tokens.size())));
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

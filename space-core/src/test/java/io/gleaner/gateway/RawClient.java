package io.gleaner.gateway;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.secrets.Secret;
import io.gleaner.space.Command;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;

/** A client that writes what it likes, frame by frame. */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  RawClient(GatewayAddress address) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), address.port());
    socket.setSoTimeout(60_000);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  /** A client that was welcomed. */
  static RawClient welcomed(TestGateway gateway) throws IOException {
    RawClient client = new RawClient(gateway.address());
    client.sends(hello(gateway.token));
    Wire.ServerFrame answer = client.reads();
    if (!answer.hasWelcome()) {
      throw new AssertionError("expected a welcome, got " + answer);
    }
    return client;
  }

  static Wire.ClientFrame hello(Secret token) {
    return Frames.client()
        .setHello(
            Wire.Hello.newBuilder()
                .setLowestVersion(Protocol.LOWEST_VERSION)
                .setHighestVersion(Protocol.HIGHEST_VERSION)
                .setJoinToken(token.reveal())
                .setName("raw"))
        .build();
  }

  void opens(long session) throws IOException {
    sends(opening(session));
  }

  static Wire.ClientFrame opening(long session) {
    return Frames.client()
        .setOpenSession(Wire.OpenSession.newBuilder().setSession(session))
        .build();
  }

  void writes(long session, long sequence, String text) throws IOException {
    Command write = new Command.Write("s", List.of(Tuples.tuple(text)), List.of(60_000L), 0);
    sends(Frames.client().setExecute(CommandFrames.write(session, sequence, 1, write)).build());
  }

  void sends(Wire.ClientFrame frame) throws IOException {
    sends(frame.toByteArray());
  }

  void sends(byte[] message) throws IOException {
    out.writeInt(message.length);
    out.write(message);
    out.flush();
  }

  void sendsLength(int length) throws IOException {
    out.writeInt(length);
    out.flush();
  }

  /** One byte more of a frame that takes its time. */
  void trickles() throws IOException {
    out.write(1);
    out.flush();
  }

  boolean hasAnswer() throws IOException {
    return in.available() > 0;
  }

  Wire.ServerFrame reads() throws IOException {
    byte[] message = new byte[in.readInt()];
    in.readFully(message);
    return Wire.ServerFrame.parseFrom(message);
  }

  /** Whether the gateway has closed, once everything it said is read. */
  boolean isClosedByGateway() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

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
  /** What is added to the sequence of an operation for a look. */
  private static final int LOOKS = 100;

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
    return welcomed(gateway.address(), gateway.token);
  }

  static RawClient welcomed(GatewayAddress address, Secret token) throws IOException {
    RawClient client = new RawClient(address);
    client.sends(hello(token));
    Wire.ServerFrame answer = client.reads();
    if (!answer.hasWelcome()) {
      throw new AssertionError("expected a welcome, got " + answer);
    }
    return client;
  }

  static Wire.ClientFrame hello(Secret token) {
    return hello(token.reveal());
  }

  /** Of a member with a certificate. */
  static Wire.ClientFrame hello() {
    return hello("");
  }

  private static Wire.ClientFrame hello(String token) {
    return Frames.client()
        .setHello(
            Wire.Hello.newBuilder()
                .setLowestVersion(Protocol.LOWEST_VERSION)
                .setHighestVersion(Protocol.HIGHEST_VERSION)
                .setJoinToken(token)
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

  void closes(long session) throws IOException {
    sends(
        Frames.client()
            .setCloseSession(Wire.CloseSession.newBuilder().setSession(session))
            .build());
  }

  /** Opens the session of that name, or takes it up by a later tenure. */
  void opensNamed(long session, long name, long tenure) throws IOException {
    sends(
        Frames.client()
            .setOpenSession(
                Wire.OpenSession.newBuilder()
                    .setSession(session)
                    .setName(name)
                    .setTenure(tenure)
                    .setResume(tenure > 1))
            .build());
    Wire.ServerFrame answer = reads();
    if (!answer.hasSessionOpened() || answer.getSessionOpened().getGone()) {
      throw new AssertionError("expected an open session, got " + answer);
    }
  }

  /** Takes an entry of the text, as soon as there is one. */
  void takes(long session, long sequence, String space, String text) throws IOException {
    sends(Frames.client().setExecute(take(session, sequence, space, text)).build());
  }

  /** As {@link #takes}, of what is not there; it waits in the space when this returns. */
  void waitsFor(long session, long sequence, String space, String text) throws IOException {
    takes(session, sequence, space, text);
    // One cell decides both, and hears what one session asks of it in order.
    Command look =
        new Command.Match(space, Command.Mode.READ, List.of(Tuples.tuple(text)), 0, 0, 1);
    sends(
        Frames.client()
            .setExecute(CommandFrames.write(session, sequence + LOOKS, 1, look))
            .build());
    Wire.Executed answer = reads().getExecuted();
    if (answer.getSequence() != sequence + LOOKS || answer.getMatched().getEntriesCount() > 0) {
      throw new AssertionError("expected to find nothing, got " + answer);
    }
  }

  /** Says that it has what it waited for. */
  void accepts(long session, long sequence, String space, String text) throws IOException {
    sends(
        Frames.client()
            .setExecute(take(session, sequence, space, text).toBuilder().setAccept(true))
            .build());
  }

  private static Wire.Execute take(long session, long sequence, String space, String text) {
    Command take =
        new Command.Match(
            space, Command.Mode.TAKE, List.of(Tuples.tuple(text)), 0, Long.MAX_VALUE, 1);
    return CommandFrames.write(session, sequence, 1, take);
  }

  void writes(long session, long sequence, String text) throws IOException {
    Command write = new Command.Write("ada/s", List.of(Tuples.tuple(text)), List.of(60_000L), 0);
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

  void sendsBytes(byte[] bytes) throws IOException {
    out.write(bytes);
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

package io.gleaner.gateway;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.gleaner.authority.Revocations;
import io.gleaner.gateway.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The two outermost messages. */
final class Frames {

  private Frames() {}

  static Wire.ServerFrame.Builder server() {
    return Wire.ServerFrame.newBuilder();
  }

  static Wire.ClientFrame.Builder client() {
    return Wire.ClientFrame.newBuilder();
  }

  static Wire.ServerFrame error(Wire.Error.Code code, String message) {
    return server().setError(Wire.Error.newBuilder().setCode(code).setMessage(message)).build();
  }

  /** What clients are told of the nodes that were revoked, if any was. */
  static Optional<Wire.ServerFrame> revokedNodes(Revocations known) {
    List<String> nodes = known.revokedNodes().stream().limit(RefusedNodes.MOST).toList();
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            server()
                .setRevokedNodes(Wire.RevokedNodes.newBuilder().addAllIdentities(nodes))
                .build());
  }

  static Wire.ClientFrame readClient(byte[] message) throws MalformedFrame {
    try {
      Wire.ClientFrame frame = Wire.ClientFrame.parseFrom(message);
      Protocol.requireKnown(frame);
      return frame;
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedFrame("the bytes are no message of this protocol: " + e.getMessage());
    }
  }

  static Wire.ServerFrame readServer(byte[] message) throws MalformedFrame {
    try {
      Wire.ServerFrame frame = Wire.ServerFrame.parseFrom(message);
      Protocol.requireKnown(frame);
      return frame;
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedFrame("the bytes are no message of this protocol: " + e.getMessage());
    }
  }

  /** The frames one behind the other, each with its length before it. */
  static byte[] encode(List<? extends Message> messages) {
    int length = 0;
    for (Message message : messages) {
      length += Protocol.LENGTH_BYTES + message.getSerializedSize();
    }
    byte[] bytes = new byte[length];
    int position = 0;
    try {
      for (Message message : messages) {
        int size = message.getSerializedSize();
        ByteBuffer.wrap(bytes).putInt(position, size);
        CodedOutputStream out =
            CodedOutputStream.newInstance(bytes, position + Protocol.LENGTH_BYTES, size);
        message.writeTo(out);
        out.checkNoSpaceLeft();
        position += Protocol.LENGTH_BYTES + size;
      }
    } catch (IOException e) {
      throw new AssertionError("an array of the right size takes the message", e);
    }
    return bytes;
  }
}

package io.gleaner.gateway;

import com.google.protobuf.InvalidProtocolBufferException;
import io.gleaner.gateway.wire.Wire;

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
}

package io.gleaner.gateway;

import com.google.protobuf.ByteString;
import io.gleaner.authority.Certificates;
import io.gleaner.authority.Trust;
import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.tls.Tls;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/** Asks a node for a certificate, on a connection of its own. Stateless; waits. */
final class Joining {
  private static final int LONGEST_ANSWER_BYTES = Certificates.LARGEST + 1024;

  private Joining() {}

  /**
   * What a node answered.
   *
   * @param certificates the new certificate, then the pool's authorities
   * @param shown what the node showed in the handshake
   */
  record Answer(List<X509Certificate> certificates, List<X509Certificate> shown) {}

  /**
   * Asks the nodes in their order until one answers.
   *
   * @throws GatewayException if none answers, or one refuses
   * @throws SecurityRefusal if one is not believed
   */
  static Answer ask(
      List<GatewayAddress> addresses, SSLContext context, Wire.Join join, Duration patience) {
    GatewayException last = new GatewayException(Code.BAD_ADDRESS, "no address of a gateway");
    for (GatewayAddress address : addresses) {
      try {
        return ask(address, context, join, patience);
      } catch (GatewayException e) {
        if (e.code() != Code.UNREACHABLE) {
          throw e;
        }
        last = e;
      }
    }
    throw last;
  }

  private static Answer ask(
      GatewayAddress address, SSLContext context, Wire.Join join, Duration patience) {
    int millis = (int) patience.toMillis();
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(address.host(), address.port()), millis);
      plain.setSoTimeout(millis);
      try (SSLSocket socket =
          (SSLSocket)
              context
                  .getSocketFactory()
                  .createSocket(plain, address.host(), address.port(), true)) {
        socket.setSSLParameters(Tls.client());
        socket.startHandshake();
        socket
            .getOutputStream()
            .write(Frames.encode(List.of(Frames.client().setJoin(join).build())));
        List<X509Certificate> certificates =
            certificates(address, read(new DataInputStream(socket.getInputStream())));
        return new Answer(
            certificates,
            Trust.chain((X509Certificate[]) socket.getSession().getPeerCertificates()));
      }
    } catch (SSLException e) {
      throw notBelieved(address, e);
    } catch (MalformedFrame e) {
      throw new GatewayException(
          Code.PROTOCOL, "what answers at " + address + " is no gateway: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new GatewayException(
          Code.UNREACHABLE, "cannot reach the gateway at " + address + ": " + e.getMessage(), e);
    }
  }

  private static RuntimeException notBelieved(GatewayAddress address, SSLException why) {
    for (Throwable cause = why; cause != null; cause = cause.getCause()) {
      if (cause instanceof SecurityRefusal refusal) {
        return new SecurityRefusal(
            refusal.code(), "at " + address + ": " + refusal.getMessage(), refusal);
      }
    }
    return why instanceof SSLHandshakeException
        ? new GatewayException(
            Code.NOT_BELIEVED,
            "the gateway at " + address + " ended the handshake; " + ClientSocket.NOT_ACCEPTED,
            why)
        : new GatewayException(
            Code.PROTOCOL,
            "what answers at " + address + " does not speak TLS 1.3: " + why.getMessage(),
            why);
  }

  private static Wire.ServerFrame read(DataInputStream in) throws IOException, MalformedFrame {
    int length = in.readInt();
    Protocol.require(
        length >= 0 && length <= LONGEST_ANSWER_BYTES, "an answer of " + length + " bytes");
    byte[] message = in.readNBytes(length);
    if (message.length < length) {
      throw new EOFException("the answer was cut off");
    }
    return Frames.readServer(message);
  }

  private static List<X509Certificate> certificates(GatewayAddress address, Wire.ServerFrame frame)
      throws MalformedFrame {
    if (frame.hasError()) {
      throw new GatewayException(
          switch (frame.getError().getCode()) {
            case TOKEN -> Code.TOKEN_REFUSED;
            case TIMEOUT, CLOSING, INTERNAL, LIMIT -> Code.UNREACHABLE;
            default -> Code.PROTOCOL;
          },
          "the gateway at " + address + " says: " + frame.getError().getMessage());
    }
    Protocol.require(frame.hasJoined(), "an answer to another question");
    return Certificates.decode(
        ByteString.copyFrom(frame.getJoined().getCertificatesList()).toByteArray());
  }
}

package io.gleaner.space.hosting;

import io.gleaner.authority.Certificates;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.Revocations;
import io.gleaner.space.MemberProof;
import io.gleaner.tls.BriefTls;
import io.gleaner.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Both ends show certificates of nodes, by a handshake of TLS 1.3, and tell each other under its
 * protection at which address the connection arrived: what a member says to somebody who pretends
 * to be another one is worth nothing at that one's address. A connection ends when its other end
 * was revoked. Safe for all threads.
 */
final class CertificateHandshake implements MemberGate.Handshake {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateHandshake.class);

  private final SSLContext context;
  private final Revocations revocations;
  private final Map<Socket, Peer> peers = new ConcurrentHashMap<>();

  private record Peer(String serial, String identity) {
    static Peer of(X509Certificate certificate) {
      return new Peer(
          Certificates.serial(certificate), PoolIdentity.of(certificate).orElseThrow().uri());
    }
  }

  CertificateHandshake(MemberProof.NodeCertificate proof) {
    this.context = Tls.context(proof.keys(), proof.trust());
    this.revocations = proof.revocations();
    revocations.onChange(changes -> endRevoked());
  }

  @Override
  public void prove(Socket socket, boolean accepting) throws IOException {
    BriefTls tls = BriefTls.over(socket, context, accepting);
    byte[] place =
        bytes(accepting ? socket.getLocalSocketAddress() : socket.getRemoteSocketAddress());
    tls.write(place);
    if (!Arrays.equals(tls.read(), place)) {
      throw new IOException(
          "the other end means another address than this connection has; expected members that"
              + " reach each other without a relay that changes addresses");
    }
    peers.keySet().removeIf(Socket::isClosed);
    peers.put(socket, Peer.of(tls.peer()));
    // Who was revoked since it was asked is not in what the change looked through.
    endRevoked();
  }

  private void endRevoked() {
    peers.forEach(
        (socket, peer) -> {
          if (revocations.check(peer.serial(), peer.identity())
              instanceof Revocations.Verdict.Revoked) {
            LOG.warn("{} was revoked, so its connection to this member ends", peer.identity());
            end(socket);
          }
        });
  }

  /** Hazelcast sees the end of the stream, closes what is left, and is refused a new one. */
  private void end(Socket socket) {
    peers.remove(socket);
    try {
      socket.shutdownInput();
      socket.shutdownOutput();
    } catch (IOException e) {
      LOG.debug("it had ended already", e);
    }
  }

  private static byte[] bytes(SocketAddress address) {
    InetSocketAddress at = (InetSocketAddress) address;
    byte[] host = at.getAddress().getAddress();
    return ByteBuffer.allocate(host.length + Integer.BYTES).put(host).putInt(at.getPort()).array();
  }
}

package io.gleaner.space.hosting;

import com.hazelcast.nio.MemberSocketInterceptor;
import io.gleaner.limits.Rate;
import io.gleaner.limits.Strangers;
import io.gleaner.space.MemberProof;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a connection between members begin only when both ends have proven that they are, before a
 * byte of it reaches Hazelcast. Safe for all threads.
 *
 * <p>The bytes that follow are in clear text, which is why members listen on loopback or in a
 * private network.
 */
final class MemberGate implements MemberSocketInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(MemberGate.class);
  private static final long PATIENCE_MILLIS = 10_000;
  static final int MOST_AT_A_TIME = 32;
  private static final int LINES_AT_ONCE = 20;
  private static final Duration ONE_MORE_LINE = Duration.ofSeconds(6);

  private final Handshake handshake;
  private final Strangers<Socket> coming =
      new Strangers<>("the port of members", MOST_AT_A_TIME, System::nanoTime);
  private final Rate lines = new Rate(LINES_AT_ONCE, ONE_MORE_LINE, System::nanoTime);
  private volatile boolean accepting;

  /** What two members say to each other first. */
  interface Handshake {
    /**
     * Proves who is here and that a member is there. It leaves the socket's time-out as it likes.
     *
     * @param accepting whether the other end made the connection
     * @throws IOException with a sentence if the other end is no member, or is silent
     */
    void prove(Socket socket, boolean accepting) throws IOException;
  }

  private MemberGate(Handshake handshake) {
    this.handshake = handshake;
  }

  static MemberGate of(MemberProof proof) {
    if (proof instanceof MemberProof.NodeCertificate certificate) {
      return new MemberGate(new CertificateHandshake(certificate));
    } else if (proof instanceof MemberProof.Shared shared) {
      return new MemberGate(new SecretHandshake(shared.secret()));
    }
    throw new IllegalStateException("there is no handshake for " + proof);
  }

  /** From now on other members may come. */
  void letIn() {
    accepting = true;
  }

  @Override
  public void init(Properties properties) {}

  @Override
  public void onConnect(Socket socket) throws IOException {
    within(socket, false);
  }

  @Override
  public void onAccept(Socket socket) throws IOException {
    if (!accepting) {
      throw new IOException("this member is not ready for others yet");
    }
    coming.arrived(socket, socket.getInetAddress()).ifPresent(MemberGate::close);
    try {
      within(socket, true);
    } finally {
      coming.left(socket);
    }
  }

  /** However slowly the other end speaks, it ends in time. */
  private void within(Socket socket, boolean inward) throws IOException {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> alarm =
        CompletableFuture.runAsync(
            () -> {
              if (over.compareAndSet(false, true)) {
                close(socket);
              }
            },
            CompletableFuture.delayedExecutor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
    SocketAddress other = socket.getRemoteSocketAddress();
    int before = socket.getSoTimeout();
    try {
      socket.setSoTimeout((int) PATIENCE_MILLIS);
      handshake.prove(socket, inward);
      if (!over.compareAndSet(false, true)) {
        throw new IOException("the other end took longer than " + PATIENCE_MILLIS + " ms");
      }
      socket.setSoTimeout(before);
    } catch (IOException e) {
      if (lines.asks() == 0) {
        LOG.warn(
            "no connection {} {}: {}",
            inward ? "from" : "to",
            other,
            e instanceof EOFException ? "the other end hung up" : e.getMessage());
      }
      throw e;
    } finally {
      alarm.cancel(false);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("a connection that took too long could not be closed", e);
    }
  }
}

package io.gleaner.gateway;

import io.gleaner.gateway.wire.Wire;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A wire between client and gateway that can be cut, or swallow what the gateway says. */
final class CuttingProxy implements AutoCloseable {

  /** What becomes of the wire when a frame of the client comes by. */
  enum Fate {
    HOLDS,
    /** The gateway never gets the frame. */
    BREAKS_BEFORE,
    /** The gateway gets it, and nothing of what it says then arrives. */
    BREAKS_BEHIND
  }

  private final ServerSocket listening;
  private final int target;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicBoolean swallowing = new AtomicBoolean();
  private final AtomicBoolean cutAtAnswer = new AtomicBoolean();
  private final Optional<Function<Wire.ClientFrame, Fate>> fates;
  private final AtomicBoolean barred = new AtomicBoolean();

  private CuttingProxy(
      ServerSocket listening, int target, Optional<Function<Wire.ClientFrame, Fate>> fates) {
    this.fates = fates;
    this.listening = listening;
    this.target = target;
    threads.execute(this::accept);
  }

  static CuttingProxy to(int port) throws IOException {
    return new CuttingProxy(listening(), port, Optional.empty());
  }

  /** A wire that looks at each frame of the client. */
  static CuttingProxy to(int port, Function<Wire.ClientFrame, Fate> fates) throws IOException {
    return new CuttingProxy(listening(), port, Optional.of(fates));
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  GatewayAddress address() {
    return new GatewayAddress("127.0.0.1", listening.getLocalPort());
  }

  /** Answers of the gateway are lost from now on, until the cut. */
  void swallowsAnswers() {
    swallowing.set(true);
  }

  /** All connections break; the next ones work. */
  void cut() {
    cutAtAnswer.set(false);
    swallowing.set(false);
    sockets.forEach(CuttingProxy::closeQuietly);
    sockets.clear();
  }

  /** All connections break, and no new one is possible while this is so. */
  void bars(boolean whether) {
    barred.set(whether);
    cut();
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cut();
    threads.shutdownNow();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listening.accept();
        if (barred.get()) {
          near.close();
          continue;
        }
        connections.incrementAndGet();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(near);
        sockets.add(far);
        threads.execute(
            () -> {
              if (fates.isPresent()) {
                pumpFrames(near, far, fates.get());
              } else {
                pump(near, far, false);
              }
            });
        threads.execute(() -> pump(far, near, true));
      }
    } catch (IOException e) {
      cut(); // closed
    }
  }

  private void pumpFrames(Socket from, Socket to, Function<Wire.ClientFrame, Fate> fatesOf) {
    try (DataInputStream in = new DataInputStream(from.getInputStream());
        DataOutputStream out = new DataOutputStream(to.getOutputStream())) {
      while (true) {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        Fate fate = fatesOf.apply(Wire.ClientFrame.parseFrom(frame));
        if (fate == Fate.BREAKS_BEFORE) {
          cut();
          return;
        }
        if (fate == Fate.BREAKS_BEHIND) {
          swallowing.set(true);
          cutAtAnswer.set(true);
        }
        out.writeInt(frame.length);
        out.write(frame);
      }
    } catch (IOException e) {
      closeQuietly(from);
    } finally {
      closeQuietly(to);
    }
  }

  private void pump(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!answers || !swallowing.get()) {
          out.write(buffer, 0, read);
        } else if (cutAtAnswer.get()) {
          cut();
        }
      }
    } catch (IOException e) {
      closeQuietly(from);
    } finally {
      closeQuietly(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

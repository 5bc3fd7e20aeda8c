package io.gleaner.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A wire between client and gateway that can be cut, or swallow what the gateway says. */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicBoolean swallowing = new AtomicBoolean();
  private final AtomicBoolean barred = new AtomicBoolean();

  private CuttingProxy(ServerSocket listening, int target) {
    this.listening = listening;
    this.target = target;
    threads.execute(this::accept);
  }

  static CuttingProxy to(int port) throws IOException {
    return new CuttingProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
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
        threads.execute(() -> pump(near, far, false));
        threads.execute(() -> pump(far, near, true));
      }
    } catch (IOException e) {
      cut(); // closed
    }
  }

  private void pump(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!answers || !swallowing.get()) {
          out.write(buffer, 0, read);
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

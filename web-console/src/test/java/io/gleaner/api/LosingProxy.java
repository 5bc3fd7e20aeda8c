package io.gleaner.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A wire to a console on which the answers to some requests get lost: the request arrives and is
 * answered, and with the first byte of the answer the connection breaks.
 */
final class LosingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final String requestLine;
  private final AtomicInteger losses;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  private LosingProxy(ServerSocket listening, int target, String requestLine, int times) {
    this.listening = listening;
    this.target = target;
    this.requestLine = requestLine;
    this.losses = new AtomicInteger(times);
    threads.execute(this::accept);
  }

  /** Loses the answers to the first so many requests whose first line begins with the text. */
  static LosingProxy losing(String requestLine, int times, URI console) throws IOException {
    return new LosingProxy(
        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
        console.getPort(),
        requestLine,
        times);
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + listening.getLocalPort());
  }

  /** From now on every answer arrives. */
  void losesNoMore() {
    losses.set(0);
  }

  int lossesLeft() {
    return losses.get();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    sockets.forEach(LosingProxy::closeQuietly);
    threads.shutdownNow();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listening.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(near);
        sockets.add(far);
        boolean[] lost = new boolean[1];
        threads.execute(() -> pump(near, far, lost, false));
        threads.execute(() -> pump(far, near, lost, true));
      }
    } catch (IOException e) {
      sockets.forEach(LosingProxy::closeQuietly);
    }
  }

  private void pump(Socket from, Socket to, boolean[] lost, boolean answers) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        synchronized (lost) {
          String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
          if (!answers && text.startsWith(requestLine) && losses.getAndDecrement() > 0) {
            lost[0] = true;
          }
          if (answers && lost[0]) {
            return;
          }
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      closeQuietly(from);
    } finally {
      closeQuietly(to);
      closeQuietly(from);
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

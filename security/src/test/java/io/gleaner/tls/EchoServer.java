package io.gleaner.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A real server on a free port that answers each byte with itself, one connection at a time. */
final class EchoServer implements AutoCloseable {
  private final ServerSocket listening;
  private final Thread thread;
  final AtomicInteger served = new AtomicInteger();
  final Queue<String> refused = new ConcurrentLinkedQueue<>();

  EchoServer(SSLContext context, SSLParameters parameters) throws IOException {
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setSSLParameters(parameters);
    listening = socket;
    thread = new Thread(this::run, "echo-server");
    thread.start();
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Connects, sends a byte and reads it back; throws what the handshake throws. */
  static SSLSocket connect(int port, SSLContext context, SSLParameters parameters)
      throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    try {
      socket.setSoTimeout(60_000);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      socket.getOutputStream().write(42);
      if (socket.getInputStream().read() != 42) {
        throw new IOException("the server closed the connection");
      }
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void run() {
    while (!listening.isClosed()) {
      try (SSLSocket socket = (SSLSocket) listening.accept()) {
        socket.setSoTimeout(60_000);
        socket.startHandshake();
        for (int next = socket.getInputStream().read();
            next >= 0;
            next = socket.getInputStream().read()) {
          socket.getOutputStream().write(next);
          served.incrementAndGet();
        }
      } catch (IOException e) {
        if (!listening.isClosed()) {
          refused.add(String.valueOf(e.getMessage()));
        }
      }
    }
  }

  @Override
  public void close() throws Exception {
    listening.close();
    thread.join(60_000);
  }
}

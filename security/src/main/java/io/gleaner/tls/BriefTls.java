package io.gleaner.tls;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * TLS at the beginning of a connection that goes on without it: a handshake in which both ends show
 * certificates, and a few messages. It reads no byte beyond them and leaves none behind, which an
 * {@code SSLSocket} does not promise. For one thread.
 */
public final class BriefTls {
  private static final int HEADER_BYTES = 5;
  private static final int FIRST_TYPE = 20;
  private static final int LAST_TYPE = 23;
  private static final int LARGEST_RECORD = 16 * 1024 + 256;
  private static final int MOST_RECORDS = 64;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final DataInputStream in;
  private final OutputStream out;
  private final ByteBuffer sending;
  private final ByteBuffer heard;
  private int records;

  private BriefTls(Socket socket, SSLEngine engine) throws IOException {
    this.engine = engine;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
    this.sending = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    this.heard = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
  }

  /**
   * Does the handshake.
   *
   * @param server whether this end is the server's
   * @throws IOException if the other end is not believed, speaks no TLS 1.3, or ends
   */
  public static BriefTls over(Socket socket, SSLContext context, boolean server)
      throws IOException {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(!server);
    engine.setSSLParameters(server ? Tls.server(Tls.ClientCertificate.NEEDED) : Tls.client());
    BriefTls tls = new BriefTls(socket, engine);
    try {
      engine.beginHandshake();
      tls.shakeHands();
      return tls;
    } catch (SSLException e) {
      tls.tellWhy();
      throw e;
    }
  }

  /** The certificate of the other end. */
  public X509Certificate peer() throws IOException {
    return (X509Certificate) engine.getSession().getPeerCertificates()[0];
  }

  /** Sends one message of up to 16 KiB. */
  public void write(byte[] message) throws IOException {
    wrap(ByteBuffer.wrap(message));
  }

  /**
   * Waits for one message; also tells, by an exception, that the other end did not believe this
   * one.
   */
  public byte[] read() throws IOException {
    heard.clear();
    while (heard.position() == 0) {
      unwrap();
    }
    return Arrays.copyOf(heard.array(), heard.position());
  }

  private void shakeHands() throws IOException {
    while (true) {
      HandshakeStatus next = engine.getHandshakeStatus();
      switch (next) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> wrap(NOTHING);
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrap();
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  private void wrap(ByteBuffer message) throws IOException {
    sending.clear();
    SSLEngineResult result = engine.wrap(message, sending);
    if (message.hasRemaining() || result.getStatus() != SSLEngineResult.Status.OK) {
      throw new SSLException("a message of TLS could not be sent: " + result.getStatus());
    }
    out.write(sending.array(), 0, sending.position());
    out.flush();
  }

  private void unwrap() throws IOException {
    if (++records > MOST_RECORDS) {
      throw new SSLException("the other end sends more than a handshake needs");
    }
    byte[] header = new byte[HEADER_BYTES];
    in.readFully(header, 0, 1);
    if (header[0] < FIRST_TYPE || header[0] > LAST_TYPE) {
      throw new SSLException("the other end does not speak TLS");
    }
    in.readFully(header, 1, HEADER_BYTES - 1);
    int length = (header[3] & 0xff) << 8 | (header[4] & 0xff);
    if (length > LARGEST_RECORD) {
      throw new SSLException("the other end does not speak TLS");
    }
    byte[] record = Arrays.copyOf(header, HEADER_BYTES + length);
    in.readFully(record, HEADER_BYTES, length);
    SSLEngineResult result = engine.unwrap(ByteBuffer.wrap(record), heard);
    if (result.getStatus() != SSLEngineResult.Status.OK || result.bytesConsumed() < record.length) {
      throw new SSLException("the other end has ended the handshake: " + result.getStatus());
    }
  }

  /** The alert that says why this end gives up, if it still can. */
  private void tellWhy() {
    try {
      for (int i = 0;
          i < MOST_RECORDS && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
          i++) {
        wrap(NOTHING);
      }
    } catch (IOException e) {
      // The other end has gone, or hears it by the end of the connection.
    }
  }
}

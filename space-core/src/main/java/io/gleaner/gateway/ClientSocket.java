package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.leasing.Ticker;
import io.gleaner.tls.Tls;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/**
 * One connection of a client, from the first try to the end. Safe for all threads.
 *
 * <p>Callers write their frames themselves, and read themselves while they wait for an answer: one
 * of them at a time has the turn to read and handles whatever comes. A thread of the connection
 * reads when no caller does. So an operation wakes no thread on its way.
 */
final class ClientSocket {
  private static final int READ_BYTES = 64 * 1024;

  /** Why a node that asks for certificates may end a connection without a word. */
  static final String NOT_ACCEPTED =
      "it may not accept this certificate, which may have ended or been revoked, or be of another"
          + " pool: join again";

  private static final int LONGEST_FRAME_BYTES = 64 * 1024 * 1024;

  /**
   * How long the connection's own thread keeps from reading after callers have read, at first and
   * at most. What nobody joins, such as the end of a long wait, comes so much later at worst.
   */
  private static final long FIRST_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long LONGEST_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

  /** Who made the connection; called by whoever reads. */
  interface Owner {
    void connected(ClientSocket socket);

    /** There will be no connection: nothing answers, or it does not believe who this is. */
    void failed(Code code, String why);

    void received(ClientSocket socket, Wire.ServerFrame frame) throws MalformedFrame;

    /** What came is not of this protocol; the connection closes. */
    void garbled(Exception why);

    void broke(ClientSocket socket);

    /** Whether this is a thread that must never wait until there is room to write. */
    boolean mustNotWait();

    /** The other end ended the handshake: it does not believe who this is. */
    void notBelieved(SSLException why);
  }

  private final Owner owner;
  private final Ticker ticker;
  private final Executor writer;
  private final Socket socket = new ReadAhead();
  private final Optional<SSLContext> tls;

  /** The socket itself, or TLS over it. */
  private volatile Socket channel = socket;

  private final Thread thread;
  private final FrameSplitter splitter = new FrameSplitter(LONGEST_FRAME_BYTES);
  private final byte[] arrived = new byte[READ_BYTES];
  private final ReentrantLock readTurn = new ReentrantLock();
  private final AtomicInteger followers = new AtomicInteger();
  private volatile boolean followed;
  private final AtomicLong leads = new AtomicLong();
  private final ReentrantLock writeTurn = new ReentrantLock();
  private final Queue<byte[]> unwritten = new ConcurrentLinkedQueue<>();
  private volatile boolean open = true;
  private volatile long heardNanos;

  /**
   * Begins to connect.
   *
   * @param tls how to speak TLS there; empty for clear text
   * @param writer writes for those that must not wait
   */
  ClientSocket(
      GatewayAddress address,
      Optional<SSLContext> tls,
      Duration patience,
      Owner owner,
      Ticker ticker,
      Executor writer) {
    this.owner = owner;
    this.tls = tls;
    this.ticker = ticker;
    this.writer = writer;
    this.heardNanos = ticker.nanos();
    this.thread = new Thread(() -> run(address, patience), "gleaner-connection-" + address);
    thread.setDaemon(true);
    thread.start();
  }

  /** The node at the other end, by its certificate; empty in clear text. */
  Optional<PoolIdentity> node() {
    try {
      return channel instanceof SSLSocket secured
          ? PoolIdentity.of((X509Certificate) secured.getSession().getPeerCertificates()[0])
          : Optional.empty();
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  /** How long nothing was heard. */
  long silentNanos() {
    return ticker.nanos() - heardNanos;
  }

  /** Sends and returns at once. */
  void send(Message frame) {
    unwritten.add(Frames.encode(List.of(frame)));
    writer.execute(this::write);
  }

  /** Sends; waits until there is room, unless this thread is needed to make some. */
  void sendNow(Message frame) {
    if (owner.mustNotWait() || readTurn.isHeldByCurrentThread()) {
      send(frame);
    } else {
      unwritten.add(Frames.encode(List.of(frame)));
      write();
    }
  }

  /** Writes what waits, then tells the peer that nothing more comes. */
  void end() {
    writer.execute(
        () -> {
          write();
          try {
            channel.shutdownOutput();
          } catch (IOException e) {
            close();
          }
        });
  }

  void close() {
    open = false;
    try {
      socket.close();
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(ClientSocket.class).debug("closing a connection", e);
    }
    LockSupport.unpark(thread);
  }

  /** Reads until the answer is there, unless somebody else reads, who then tells it. */
  void readFor(CompletableFuture<?> answer) {
    lead(answer);
    if (open && !answer.isDone()) {
      followed = true;
      followers.incrementAndGet();
      var unused = answer.whenComplete((reply, failure) -> followers.decrementAndGet());
      // Whoever read may have ended just before it could see this follower.
      lead(answer);
    }
  }

  private void lead(CompletableFuture<?> answer) {
    if (!open || !readTurn.tryLock()) {
      return;
    }
    try {
      leads.incrementAndGet();
      while (open && !answer.isDone()) {
        read();
      }
    } finally {
      readTurn.unlock();
      if (followers.get() > 0 || !open) {
        LockSupport.unpark(thread);
      }
    }
  }

  private void run(GatewayAddress address, Duration patience) {
    try {
      socket.setTcpNoDelay(true);
      socket.connect(
          new InetSocketAddress(address.host(), address.port()), (int) patience.toMillis());
    } catch (IOException e) {
      close();
      owner.failed(Code.UNREACHABLE, "nothing answers there: " + e.getMessage());
      return;
    }
    try {
      if (tls.isPresent()) {
        channel = handshake(tls.get(), address, patience);
      }
    } catch (SocketTimeoutException e) {
      close();
      owner.failed(
          Code.UNREACHABLE,
          "it accepts connections and says nothing: is it frozen, or overloaded?");
      return;
    } catch (SSLException e) {
      close();
      owner.failed(
          Code.UNREACHABLE,
          "it broke the handshake off: it is not a node of this pool, does not speak TLS 1.3, or has"
              + " too many unfinished handshakes from this address: "
              + e.getMessage());
      return;
    } catch (IOException e) {
      close();
      owner.failed(Code.NOT_BELIEVED, "it broke the handshake off; " + NOT_ACCEPTED);
      return;
    }
    owner.connected(this);
    while (open) {
      readForAll();
      keepFromReading();
    }
    close();
    owner.broke(this);
  }

  private SSLSocket handshake(SSLContext context, GatewayAddress address, Duration patience)
      throws IOException {
    SSLSocket secured =
        (SSLSocket)
            context.getSocketFactory().createSocket(socket, address.host(), address.port(), true);
    secured.setSSLParameters(Tls.client());
    socket.setSoTimeout((int) patience.toMillis());
    secured.startHandshake();
    socket.setSoTimeout(0);
    return secured;
  }

  /** TLS reads the five bytes of a record's header by themselves: a system call more for each. */
  private static final class ReadAhead extends Socket {
    private InputStream input = InputStream.nullInputStream();

    @Override
    public void connect(SocketAddress address, int timeoutMillis) throws IOException {
      super.connect(address, timeoutMillis);
      input = new BufferedInputStream(super.getInputStream(), READ_BYTES);
    }

    @Override
    public InputStream getInputStream() {
      return input;
    }
  }

  private void keepFromReading() {
    long graceNanos = FIRST_GRACE_NANOS;
    long before;
    do {
      before = leads.get();
      LockSupport.parkNanos(this, graceNanos);
      graceNanos = Math.min(2 * graceNanos, LONGEST_GRACE_NANOS);
    } while (open && followers.get() == 0 && leads.get() != before);
  }

  /** Reads until a caller that waited was told and none waits any more: the next reads itself. */
  private void readForAll() {
    readTurn.lock();
    try {
      do {
        read();
      } while (open && (followers.get() > 0 || !followed));
      followed = false;
    } finally {
      readTurn.unlock();
    }
  }

  private void read() {
    try {
      int count = channel.getInputStream().read(arrived);
      if (count < 0) {
        close();
        return;
      }
      heardNanos = ticker.nanos();
      splitter.add(Arrays.copyOf(arrived, count));
      for (Optional<byte[]> message = splitter.next();
          message.isPresent();
          message = splitter.next()) {
        owner.received(this, Frames.readServer(message.get()));
      }
    } catch (SSLException e) {
      owner.notBelieved(e);
      close();
    } catch (IOException e) {
      close();
    } catch (MalformedFrame | FrameSplitter.FrameTooLarge | RuntimeException e) {
      owner.garbled(e);
      close();
    }
  }

  private void write() {
    // Whoever has the turn writes for all, and looks again after giving it back.
    while (open && !unwritten.isEmpty() && writeTurn.tryLock()) {
      try {
        for (byte[] bytes = unwritten.poll(); bytes != null; bytes = unwritten.poll()) {
          channel.getOutputStream().write(unwritten.isEmpty() ? bytes : withMore(bytes));
        }
      } catch (IOException e) {
        close();
      } finally {
        writeTurn.unlock();
      }
    }
  }

  private byte[] withMore(byte[] first) {
    ByteArrayOutputStream together = new ByteArrayOutputStream(READ_BYTES);
    together.writeBytes(first);
    while (together.size() < READ_BYTES && !unwritten.isEmpty()) {
      together.writeBytes(unwritten.poll());
    }
    return together.toByteArray();
  }
}

package io.gleaner.jini;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import javax.net.ServerSocketFactory;

/**
 * Server sockets on one address only; JERI's own listen everywhere. Equal for equal addresses, so
 * that exports share a port. Named in River's configuration, therefore public.
 */
public final class BoundServerSockets extends ServerSocketFactory {
  private static final int BACKLOG = 50;
  private final InetAddress address;

  /**
   * @param address a literal address or a name of this machine, never a wildcard
   */
  public BoundServerSockets(String address) throws IOException {
    this.address = InetAddress.getByName(address);
    if (this.address.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "'" + address + "' means every interface; name one, such as 127.0.0.1");
    }
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return createServerSocket(port, BACKLOG, address);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return createServerSocket(port, backlog, address);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress ignored)
      throws IOException {
    return new ServerSocket(port, backlog, address);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BoundServerSockets sockets && sockets.address.equals(address);
  }

  @Override
  public int hashCode() {
    return address.hashCode();
  }
}

package io.gleaner.jini;

import java.io.IOException;
import java.io.UncheckedIOException;
import net.jini.id.Uuid;
import net.jini.jeri.BasicILFactory;
import net.jini.jeri.BasicJeriExporter;
import net.jini.jeri.tcp.TcpServerEndpoint;

/**
 * Where remote objects of this process listen.
 *
 * @param host an address of one interface, which others reach it by; never a wildcard
 * @param port 0 for any
 */
public record JeriAddress(String host, int port) {

  public JeriAddress {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " for JERI; expected 0 to 65535");
    }
  }

  /** Any free port of the loopback interface. */
  public static JeriAddress loopback() {
    return new JeriAddress("127.0.0.1", 0);
  }

  /** Exports one object, without distributed garbage collection, and lives on after it. */
  BasicJeriExporter exporter(Uuid object) {
    try {
      return new BasicJeriExporter(
          TcpServerEndpoint.getInstance(host, port, null, new BoundServerSockets(host)),
          new BasicILFactory(),
          false,
          false,
          object);
    } catch (IOException e) {
      throw new UncheckedIOException("'" + host + "' is no address of this machine", e);
    }
  }
}

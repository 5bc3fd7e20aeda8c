package io.gleaner.node;

import io.gleaner.jini.LookupService;
import io.gleaner.jini.PoolEntry;
import io.gleaner.jini.PoolRegistration;
import io.gleaner.tls.LoopbackOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.jini.discovery.Constants;

/** A lookup service beside a node, and the node's pool in it; only if the operator asks for it. */
public final class NodeLookup implements AutoCloseable {
  /** Where it listens if nothing else is allowed. */
  public static final String LOOPBACK = "127.0.0.1";

  private static final int JINI_PORT = Constants.discoveryPort;

  private final LookupService lookup;
  private final PoolRegistration registration;

  private NodeLookup(LookupService lookup, PoolRegistration registration) {
    this.lookup = lookup;
    this.registration = registration;
  }

  /**
   * Starts both on the node's own address; by multicast, too, unless that is loopback.
   *
   * @param pool the pool's name, which is the group that multicast finds
   * @param host where the lookup service listens
   * @param node its gateway, its console and its authority are told
   * @param says hears a sentence if the lookup service is not at Jini's own port
   */
  public static NodeLookup start(String pool, String host, Node node, Consumer<String> says) {
    InetAddress address = LoopbackOnly.check(host);
    try {
      Optional<String> multicast = multicastOn(address);
      LookupService lookup =
          LookupService.start(
              new LookupService.Settings(address.getHostAddress(), 0, List.of(pool), multicast));
      PoolRegistration registration =
          PoolRegistration.start(
              new PoolEntry(
                  pool, node.addresses().gateway(), node.addresses().console(), node.fingerprint()),
              List.of(lookup.locator()),
              List.of(),
              multicast);
      int port = lookup.locator().getPort();
      if (port != JINI_PORT) {
        says.accept(
            "Port "
                + JINI_PORT
                + ", Jini's own, is taken by somebody else; the lookup service takes "
                + port
                + ", so jini://host without that port does not find this pool.");
      }
      return new NodeLookup(lookup, registration);
    } catch (IOException e) {
      throw new UncheckedIOException("the lookup service did not start: " + e.getMessage(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the lookup service did not start: " + e.getMessage(), e);
    }
  }

  private static Optional<String> multicastOn(InetAddress address) throws IOException {
    NetworkInterface on = NetworkInterface.getByInetAddress(address);
    return on == null || on.isLoopback() || !on.supportsMulticast()
        ? Optional.empty()
        : Optional.of(on.getName());
  }

  /** {@code jini://host:port}, for {@code gleaner worker --join}. */
  public String address() {
    return lookup.address();
  }

  @Override
  public void close() throws IOException {
    registration.close();
    lookup.close();
  }
}

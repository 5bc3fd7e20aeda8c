package io.gleaner.jini;

import java.rmi.RemoteException;
import java.util.List;
import java.util.Optional;
import net.jini.core.discovery.LookupLocator;
import net.jini.core.lookup.ServiceRegistrar;

/**
 * A lookup service of this process, River's Reggie. It keeps what it is given and reads none of it.
 */
public final class LookupService implements AutoCloseable {
  private static final String COMPONENT = "com.sun.jini.reggie";

  private final RiverPeer<ServiceRegistrar> reggie;
  private final LookupLocator locator;

  private LookupService(RiverPeer<ServiceRegistrar> reggie, LookupLocator locator) {
    this.reggie = reggie;
    this.locator = locator;
  }

  /**
   * Where it listens and whom it serves.
   *
   * @param host an address of one interface
   * @param port for clients that know the host; 0 for Jini's own, 4160, or any other if it is taken
   * @param groups names by which multicast finds it
   * @param multicastInterface where it answers and announces itself; empty for nowhere
   */
  public record Settings(
      String host, int port, List<String> groups, Optional<String> multicastInterface) {
    public Settings {
      groups = List.copyOf(groups);
    }

    /** By unicast only, on the loopback interface. */
    public static Settings loopback() {
      return new Settings("127.0.0.1", 0, List.of(), Optional.empty());
    }
  }

  /** Starts it; it serves when this returns. */
  public static LookupService start(Settings settings) throws ReflectiveOperationException {
    MarshalledFilter.install();
    RiverPeer<ServiceRegistrar> reggie =
        RiverPeers.start(
            "com.sun.jini.reggie.TransientRegistrarImpl",
            ServiceRegistrar.class,
            RiverSettings.service(COMPONENT, settings.host())
                .set(COMPONENT + ".initialMemberGroups", RiverSettings.strings(settings.groups()))
                .set(
                    COMPONENT + ".multicastInterfaces",
                    RiverSettings.on(settings.multicastInterface()))
                .set(COMPONENT + ".unicastDiscoveryHost", "\"" + settings.host() + "\"")
                .set(COMPONENT + ".initialUnicastDiscoveryPort", String.valueOf(settings.port()))
                .set(
                    COMPONENT + ".serverSocketFactory",
                    "new io.gleaner.jini.BoundServerSockets(\"" + settings.host() + "\")"));
    try {
      return new LookupService(reggie, reggie.proxy().getLocator());
    } catch (RemoteException e) {
      throw new ReflectiveOperationException("the lookup service does not answer", e);
    }
  }

  /** Where it is, for {@link PoolRegistration}. */
  public LookupLocator locator() {
    return locator;
  }

  /** As text, for people and commands: {@code jini://host:port}. */
  public String address() {
    return "jini://" + locator.getHost() + ":" + locator.getPort();
  }

  RiverPeer<ServiceRegistrar> peer() {
    return reggie;
  }

  @Override
  public void close() throws RemoteException {
    reggie.close();
  }
}

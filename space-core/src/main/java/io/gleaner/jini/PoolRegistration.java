package io.gleaner.jini;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import net.jini.config.Configuration;
import net.jini.config.ConfigurationException;
import net.jini.core.discovery.LookupLocator;
import net.jini.core.entry.Entry;
import net.jini.discovery.LookupDiscoveryManager;
import net.jini.lookup.JoinManager;
import net.jini.lookup.ServiceIDListener;
import net.jini.lookup.entry.Name;

/**
 * A pool's place in lookup services: it joins those that it is told or finds, and renews its leases
 * there until it is closed.
 */
public final class PoolRegistration implements AutoCloseable {
  private final LookupDiscoveryManager discovery;
  private final JoinManager joining;

  private PoolRegistration(LookupDiscoveryManager discovery, JoinManager joining) {
    this.discovery = discovery;
    this.joining = joining;
  }

  /**
   * Begins to register; what is not there yet is joined when it comes.
   *
   * @param locators lookup services by address
   * @param groups those to be found by multicast
   * @param multicastInterface where to look for them; empty for nowhere
   */
  public static PoolRegistration start(
      PoolEntry pool,
      List<LookupLocator> locators,
      List<String> groups,
      Optional<String> multicastInterface)
      throws IOException {
    MarshalledFilter.install();
    Configuration settings = RiverSettings.multicastOn(multicastInterface).configuration();
    try {
      LookupDiscoveryManager discovery =
          new LookupDiscoveryManager(
              multicastInterface.isPresent() ? groups.toArray(String[]::new) : new String[0],
              locators.toArray(LookupLocator[]::new),
              null,
              settings);
      JoinManager joining =
          new JoinManager(
              new PoolItem(pool.pool),
              new Entry[] {pool, new Name(pool.pool)},
              (ServiceIDListener) null,
              discovery,
              null,
              settings);
      return new PoolRegistration(discovery, joining);
    } catch (ConfigurationException e) {
      throw new IllegalArgumentException("River refuses its settings: " + e.getMessage(), e);
    }
  }

  /** Leaves all lookup services. */
  @Override
  public void close() {
    joining.terminate();
    discovery.terminate();
  }
}

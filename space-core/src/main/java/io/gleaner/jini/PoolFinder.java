package io.gleaner.jini;

import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayException;
import io.gleaner.gateway.GatewayException.Code;
import java.io.IOException;
import java.net.MalformedURLException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.jini.config.ConfigurationException;
import net.jini.core.discovery.LookupLocator;
import net.jini.core.entry.Entry;
import net.jini.core.lookup.ServiceItem;
import net.jini.core.lookup.ServiceMatches;
import net.jini.core.lookup.ServiceRegistrar;
import net.jini.core.lookup.ServiceTemplate;
import net.jini.discovery.DiscoveryEvent;
import net.jini.discovery.DiscoveryListener;
import net.jini.discovery.LookupDiscoveryManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds pools through lookup services. What comes from there is data and is read under an
 * allow-list; no code is downloaded.
 */
public final class PoolFinder {
  private static final Logger LOG = LoggerFactory.getLogger(PoolFinder.class);
  private static final String SCHEME = "jini://";
  private static final int MOST = 100;

  private PoolFinder() {}

  /**
   * Where the gateway is: {@code host:port} as it stands, or {@code jini://host[:port]} asked.
   *
   * @throws GatewayException if it is neither, or no pool is found within the time
   */
  public static GatewayAddress gateway(String text, Duration patience) {
    if (!text.strip().startsWith(SCHEME)) {
      return GatewayAddress.parse(text);
    }
    return find(text.strip(), patience).stream()
        .findFirst()
        .orElseThrow(
            () ->
                new GatewayException(
                    Code.UNREACHABLE, "the lookup service at " + text + " knows of no pool"))
        .gateway();
  }

  /** The pools that the lookup service at {@code jini://host[:port]} knows. */
  public static List<Pool> find(String locator, Duration patience) {
    LookupLocator known;
    try {
      known = new LookupLocator(locator);
    } catch (MalformedURLException e) {
      throw new GatewayException(
          Code.BAD_ADDRESS,
          "'"
              + locator
              + "' is no address of a lookup service; expected jini://host or jini://host:port",
          e);
    }
    MarshalledFilter.install();
    int millis = (int) Math.min(Integer.MAX_VALUE, patience.toMillis());
    return within(locator, patience, () -> poolsOf(known.getRegistrar(millis)));
  }

  /**
   * The pools of the first lookup service of the group that answers on the network interface; empty
   * if none does within the time.
   */
  public static List<Pool> findByMulticast(String group, String networkInterface, Duration patience)
      throws InterruptedException {
    MarshalledFilter.install();
    BlockingQueue<ServiceRegistrar> found = new LinkedBlockingQueue<>();
    LookupDiscoveryManager discovery = discovery(group, networkInterface, new Found(found));
    try {
      ServiceRegistrar first = found.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      return first == null
          ? List.of()
          : within("of group " + group, patience, () -> poolsOf(first));
    } finally {
      discovery.terminate();
    }
  }

  private static LookupDiscoveryManager discovery(
      String group, String networkInterface, DiscoveryListener listener) {
    try {
      return new LookupDiscoveryManager(
          new String[] {RiverSettings.word("group", group)},
          new LookupLocator[0],
          listener,
          RiverSettings.multicastOn(Optional.of(networkInterface)).configuration());
    } catch (IOException | ConfigurationException e) {
      throw new GatewayException(
          Code.UNREACHABLE,
          "cannot look for pools on " + networkInterface + ": " + e.getMessage(),
          e);
    }
  }

  private record Found(BlockingQueue<ServiceRegistrar> registrars) implements DiscoveryListener {
    @Override
    public void discovered(DiscoveryEvent event) {
      registrars.addAll(List.of(event.getRegistrars()));
    }

    @Override
    public void discarded(DiscoveryEvent event) {}
  }

  private interface Question {
    List<Pool> ask() throws IOException, ClassNotFoundException;
  }

  /** JERI waits as long as its peer likes; a thread of its own does not let the caller wait. */
  private static List<Pool> within(String where, Duration patience, Question question) {
    FutureTask<List<Pool>> answer = new FutureTask<>(question::ask);
    Thread asking = new Thread(answer, "pool-finder");
    asking.setDaemon(true);
    asking.start();
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw unreachable(where, e.getCause());
    } catch (TimeoutException e) {
      throw unreachable(where, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(where, e);
    }
  }

  private static GatewayException unreachable(String where, Throwable cause) {
    return new GatewayException(
        Code.UNREACHABLE,
        "the lookup service " + where + " does not answer as one: " + cause,
        cause);
  }

  private static List<Pool> poolsOf(ServiceRegistrar registrar) throws RemoteException {
    ServiceTemplate template = new ServiceTemplate(null, null, new Entry[] {new PoolEntry()});
    ServiceMatches matches = registrar.lookup(template, MOST);
    List<Pool> pools = new ArrayList<>();
    for (ServiceItem item : matches.items) {
      for (Entry entry : item.attributeSets) {
        if (entry instanceof PoolEntry pool && pool.pool != null && pool.gateway != null) {
          try {
            String fingerprint =
                pool.certificateFingerprint == null ? "" : pool.certificateFingerprint;
            pools.add(new Pool(pool.pool, GatewayAddress.parse(pool.gateway), fingerprint));
          } catch (GatewayException e) {
            LOG.warn("a pool in the lookup service has no usable address: {}", e.getMessage());
          }
        }
      }
    }
    return pools;
  }
}

package io.gleaner.jini;

import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayException;
import io.gleaner.gateway.GatewayException.Code;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final String SCHEME = "jini:";
  private static final Pattern GROUP = Pattern.compile("jini:([^/@][^@]*)@([^@]+)");
  private static final int MOST = 100;

  private PoolFinder() {}

  /** Whether the text asks lookup services, well or badly, and is no address of a node itself. */
  public static boolean isLookup(String text) {
    return text.strip().startsWith(SCHEME);
  }

  /**
   * Where the gateways are: {@code host:port} as it stands, several of one pool with commas between
   * them, or as {@link #pool} finds it.
   *
   * @return at least one, in the order in which they are to be tried
   * @throws GatewayException if it is neither, or no pool is found within the time
   */
  public static List<GatewayAddress> gateways(String text, Duration patience) {
    return isLookup(text)
        ? List.of(pool(text, patience).gateway())
        : Arrays.stream(text.split(",", -1)).map(GatewayAddress::parse).toList();
  }

  /**
   * The first pool that a lookup service knows: the one at {@code jini://host[:port]}, or one of a
   * group on the network that {@code jini:group@interface} names.
   *
   * @throws GatewayException if the text is neither, or no pool is found within the time
   */
  public static Pool pool(String text, Duration patience) {
    String stripped = text.strip();
    Matcher group = GROUP.matcher(stripped);
    List<Pool> found =
        group.matches()
            ? multicast(stripped, group.group(1), group.group(2), patience)
            : find(stripped, patience);
    return found.stream()
        .findFirst()
        .orElseThrow(
            () ->
                new GatewayException(
                    Code.UNREACHABLE,
                    group.matches()
                        ? "no lookup service with a pool answers to "
                            + stripped
                            + " within "
                            + patience.toSeconds()
                            + " s; name it as jini://host:port, or the pool's own address"
                        : "the lookup service at " + stripped + " knows of no pool"));
  }

  private static List<Pool> multicast(
      String text, String group, String networkInterface, Duration patience) {
    try {
      return findByMulticast(group, networkInterface, patience);
    } catch (IllegalArgumentException e) {
      throw badAddress(text, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable("of group " + group, e);
    }
  }

  /** The pools that the lookup service at {@code jini://host[:port]} knows. */
  public static List<Pool> find(String locator, Duration patience) {
    LookupLocator known;
    try {
      known = new LookupLocator(locator);
    } catch (MalformedURLException e) {
      throw badAddress(locator, e);
    }
    requireStandIns();
    MarshalledFilter.install();
    int millis = (int) Math.min(Integer.MAX_VALUE, patience.toMillis());
    return within("at " + locator, patience, () -> poolsOf(known.getRegistrar(millis)));
  }

  private static GatewayException badAddress(String text, Exception cause) {
    return new GatewayException(
        Code.BAD_ADDRESS,
        "'"
            + text
            + "' is no address of a lookup service; expected jini://host, jini://host:port, or"
            + " jini:group@interface for one that answers there",
        cause);
  }

  /** River's calls name classes that Java 17 dropped. */
  private static void requireStandIns() {
    try {
      Class.forName("java.rmi.activation.ActivationID");
    } catch (ClassNotFoundException e) {
      throw new GatewayException(
          Code.UNREACHABLE,
          "this program cannot speak to lookup services: its JVM lacks classes that River names;"
              + " start it with -Xbootclasspath/a:space-core/target/activation, or name the address"
              + " of the node itself",
          e);
    }
  }

  /**
   * The pools of the first lookup service of the group that answers on the network interface; empty
   * if none does within the time.
   */
  public static List<Pool> findByMulticast(String group, String networkInterface, Duration patience)
      throws InterruptedException {
    requireStandIns();
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
        "the lookup service " + where + " does not answer as one: " + reason(cause),
        cause);
  }

  private static String reason(Throwable cause) {
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    return cause instanceof IOException && cause.getMessage() != null
        ? cause.getMessage()
        : cause.toString();
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
            Optional<URI> console =
                Optional.ofNullable(pool.console).filter(text -> !text.isEmpty()).map(URI::create);
            pools.add(
                new Pool(pool.pool, GatewayAddress.parse(pool.gateway), console, fingerprint));
          } catch (GatewayException | IllegalArgumentException e) {
            LOG.warn("a pool in the lookup service has no usable address: {}", e.getMessage());
          }
        }
      }
    }
    return pools;
  }
}

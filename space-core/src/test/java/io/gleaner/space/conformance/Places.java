package io.gleaner.space.conformance;

import io.gleaner.gateway.GatewayConnection;
import io.gleaner.gateway.TestGateway;
import io.gleaner.jini.RiverPeer;
import io.gleaner.jini.RiverPeers;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.space.JavaSpace05;

/** A member, a gateway and River's services, started when first asked for. */
final class Places implements AutoCloseable {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private HazelcastSpace engine;
  private TestGateway gateway;
  private GatewayConnection connection;
  private RiverPeer<JavaSpace05> outrigger;
  private RiverPeer<TransactionManager> mahalo;

  /** An empty space there. */
  synchronized SpaceUnderTest open(Place place) {
    try {
      return switch (place) {
        case EMBEDDED -> ours(place, SpaceClient.open(engine(), name(), "test"));
        case GATEWAY -> ours(place, connection().space(name()));
        case OUTRIGGER -> outrigger();
      };
    } catch (Exception e) {
      throw new IllegalStateException("no space at " + place, e);
    }
  }

  private static String name() {
    return "conformance " + NAMES.incrementAndGet();
  }

  private static SpaceUnderTest ours(Place place, TupleSpace space) {
    return new SpaceUnderTest(place, space, space.transactions(), space::close);
  }

  private HazelcastSpace engine() {
    if (engine == null) {
      engine = HazelcastSpace.start(SpaceSettings.defaults());
    }
    return engine;
  }

  private GatewayConnection connection() throws Exception {
    if (connection == null) {
      Path folder = Files.createTempDirectory("gleaner-conformance");
      folder.toFile().deleteOnExit();
      gateway = TestGateway.startUsual(engine(), folder);
      connection = gateway.patientClient();
    }
    return connection;
  }

  private SpaceUnderTest outrigger() throws Exception {
    if (outrigger == null) {
      outrigger = RiverPeers.startOutrigger();
      mahalo = RiverPeers.startMahalo();
    }
    return new SpaceUnderTest(
        Place.OUTRIGGER, outrigger.proxy(), mahalo.proxy(), () -> empty(outrigger.proxy()));
  }

  private static void empty(JavaSpace05 space) {
    try {
      while (space.take(null, null, 0) != null) {
        // until nothing is left
      }
    } catch (net.jini.core.entry.UnusableEntryException e) {
      empty(space);
    } catch (Exception e) {
      throw new IllegalStateException("Outrigger is not empty", e);
    }
  }

  @Override
  public synchronized void close() throws Exception {
    if (connection != null) {
      connection.close();
      gateway.close();
    }
    if (engine != null) {
      engine.close();
    }
    if (outrigger != null) {
      outrigger.close();
      mahalo.close();
    }
  }
}

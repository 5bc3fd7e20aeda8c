package io.gleaner.node;

import io.gleaner.ledger.Credits;
import io.gleaner.maker.Economy;
import io.gleaner.mechanism.ThinMarket;
import io.gleaner.storage.ServerSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * Everything that can be set of a node; validated here.
 *
 * @param home where it keeps everything
 * @param host address on which it listens; loopback only until certificates are in
 * @param gatewayPort port for launchers; another free one is taken if somebody else has it, 0 for
 *     any
 * @param consolePort port for browsers and commands; as above
 * @param economy who may buy and whether there are prices
 * @param thinMarket what happens with fewer than five owners on a side
 * @param postedMicrosPerUnit the posted price
 * @param quantum work of a contract after which its slot is offered again
 * @param firstGrantMicros credits that a new user gets
 * @param inMemory the space is not kept on disk: bags end with the node
 * @param limits what its users are granted at most
 * @param server the PostgreSQL server that keeps all but secrets and the log, instead of the folder
 */
public record NodeSettings(
    Home home,
    String host,
    int gatewayPort,
    int consolePort,
    Economy economy,
    ThinMarket thinMarket,
    long postedMicrosPerUnit,
    Duration quantum,
    long firstGrantMicros,
    boolean inMemory,
    NodeLimits limits,
    Optional<ServerSettings> server) {
  /** Where launchers expect a gateway. */
  public static final int GATEWAY_PORT = 7400;

  /** Where browsers expect a console. */
  public static final int CONSOLE_PORT = 7480;

  private static final String LOOPBACK = "127.0.0.1";
  private static final long FIRST_GRANT_MICROS = 1_000 * Credits.MICROS;

  public NodeSettings {
    requirePort("gateway port", gatewayPort);
    requirePort("console port", consolePort);
    if (quantum.isNegative() || quantum.isZero()) {
      throw new IllegalArgumentException("the quantum is " + quantum + ", expected more than 0");
    }
    if (postedMicrosPerUnit <= 0 || firstGrantMicros < 0) {
      throw new IllegalArgumentException("prices and grants are not negative");
    }
  }

  /** The settings of a node in the folder, nothing else said. */
  public static NodeSettings in(Home home) {
    return new NodeSettings(
        home,
        LOOPBACK,
        GATEWAY_PORT,
        CONSOLE_PORT,
        Economy.MARKET,
        ThinMarket.POSTED,
        Credits.MICROS,
        Duration.ofSeconds(60),
        FIRST_GRANT_MICROS,
        false,
        NodeLimits.standard(),
        Optional.empty());
  }

  public NodeSettings withHost(String host) {
    return new NodeSettings(
        home,
        host,
        gatewayPort,
        consolePort,
        economy,
        thinMarket,
        postedMicrosPerUnit,
        quantum,
        firstGrantMicros,
        inMemory,
        limits,
        server);
  }

  public NodeSettings withPorts(int gateway, int console) {
    return new NodeSettings(
        home,
        host,
        gateway,
        console,
        economy,
        thinMarket,
        postedMicrosPerUnit,
        quantum,
        firstGrantMicros,
        inMemory,
        limits,
        server);
  }

  public NodeSettings withMarket(Economy economy, ThinMarket thinMarket, Duration quantum) {
    return new NodeSettings(
        home,
        host,
        gatewayPort,
        consolePort,
        economy,
        thinMarket,
        postedMicrosPerUnit,
        quantum,
        firstGrantMicros,
        inMemory,
        limits,
        server);
  }

  /** The same with the space in memory: what is in it ends with the node. */
  public NodeSettings withSpaceInMemory() {
    return new NodeSettings(
        home,
        host,
        gatewayPort,
        consolePort,
        economy,
        thinMarket,
        postedMicrosPerUnit,
        quantum,
        firstGrantMicros,
        true,
        limits,
        server);
  }

  public NodeSettings withLimits(NodeLimits limits) {
    return new NodeSettings(
        home,
        host,
        gatewayPort,
        consolePort,
        economy,
        thinMarket,
        postedMicrosPerUnit,
        quantum,
        firstGrantMicros,
        inMemory,
        limits,
        server);
  }

  /** The same with database, space and blobs on a PostgreSQL server instead of in its folder. */
  public NodeSettings withDatabase(ServerSettings database) {
    return new NodeSettings(
        home,
        host,
        gatewayPort,
        consolePort,
        economy,
        thinMarket,
        postedMicrosPerUnit,
        quantum,
        firstGrantMicros,
        inMemory,
        limits,
        Optional.of(database));
  }

  private static void requirePort(String what, int port) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(what + " is " + port + ", expected 0 to 65535");
    }
  }
}

package io.gleaner.node;

import io.gleaner.ledger.Credits;
import io.gleaner.maker.Economy;
import io.gleaner.mechanism.ThinMarket;
import io.gleaner.signin.OpenIdSettings;
import io.gleaner.storage.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Everything that can be set of a node; validated here.
 *
 * @param home where its secrets and its log are, and all the rest unless a server keeps it
 * @param limits what its users are granted at most
 * @param passphrase where that of the authority's key comes from
 * @param openId the provider by which people may sign in, besides passwords
 */
public record NodeSettings(
    Home home,
    Listening listening,
    Market market,
    Keeping keeping,
    NodeLimits limits,
    PassphraseSource passphrase,
    Optional<OpenIdSettings> openId) {
  /** Where launchers expect a gateway. */
  public static final int GATEWAY_PORT = 7400;

  /** Where browsers expect a console. */
  public static final int CONSOLE_PORT = 7480;

  private static final String LOOPBACK = "127.0.0.1";
  private static final long FIRST_GRANT_MICROS = 1_000 * Credits.MICROS;

  /**
   * Where it listens.
   *
   * @param gatewayHost any address of this machine, as certificates protect the gateway
   * @param gatewayPort port for launchers; another free one is taken if somebody else has it, 0 for
   *     any
   * @param consoleHost any address of this machine, too
   * @param consolePort port for browsers and commands; as above
   * @param consoleProof whether the console speaks TLS, and what it shows
   */
  public record Listening(
      String gatewayHost,
      int gatewayPort,
      String consoleHost,
      int consolePort,
      ConsoleProof consoleProof) {
    public Listening {
      requirePort("gateway port", gatewayPort);
      requirePort("console port", consolePort);
      if (gatewayPort == consolePort && gatewayPort != 0) {
        throw new IllegalArgumentException(
            "gateway and console have both port " + gatewayPort + ", expected two, or 0 for any");
      }
    }

    /** On loopback. */
    public static Listening on(int gatewayPort, int consolePort) {
      return new Listening(LOOPBACK, gatewayPort, LOOPBACK, consolePort, new ConsoleProof.Usual());
    }

    /** The same places, with a console that proves itself so. */
    public Listening with(ConsoleProof proof) {
      return new Listening(gatewayHost, gatewayPort, consoleHost, consolePort, proof);
    }

    /** On loopback, where others expect it. */
    public static Listening usual() {
      return on(GATEWAY_PORT, CONSOLE_PORT);
    }

    private static void requirePort(String what, int port) {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException(what + " is " + port + ", expected 0 to 65535");
      }
    }
  }

  /** How the console proves who it is. */
  public sealed interface ConsoleProof {
    /** Clear text on loopback, else a certificate of the pool. */
    record Usual() implements ConsoleProof {}

    /** A certificate of the pool, on loopback too. */
    record OfPool() implements ConsoleProof {}

    /**
     * The operator's own certificate.
     *
     * @param certificates PEM, the own one first, then those above it
     * @param key PEM without a passphrase, readable by its owner only
     */
    record Own(Path certificates, Path key) implements ConsoleProof {}
  }

  /**
   * How slots are shared.
   *
   * @param economy who may buy and whether there are prices
   * @param thinMarket what happens with fewer than five owners on a side
   * @param postedMicrosPerUnit the posted price
   * @param quantum work of a contract after which its slot is offered again
   * @param firstGrantMicros credits that a new user gets
   */
  public record Market(
      Economy economy,
      ThinMarket thinMarket,
      long postedMicrosPerUnit,
      Duration quantum,
      long firstGrantMicros) {
    public Market {
      if (quantum.isNegative() || quantum.isZero()) {
        throw new IllegalArgumentException("the quantum is " + quantum + ", expected more than 0");
      }
      if (postedMicrosPerUnit <= 0 || firstGrantMicros < 0) {
        throw new IllegalArgumentException("prices and grants are not negative");
      }
    }

    /** With a posted price of a credit and a first grant of a thousand. */
    public static Market of(Economy economy, ThinMarket thinMarket, Duration quantum) {
      return new Market(economy, thinMarket, Credits.MICROS, quantum, FIRST_GRANT_MICROS);
    }

    /** Prices where there are enough owners, quanta of a minute. */
    public static Market usual() {
      return of(Economy.MARKET, ThinMarket.POSTED, Duration.ofSeconds(60));
    }
  }

  /**
   * Where it keeps what it has acknowledged.
   *
   * @param spaceInMemory the space is not kept at all: bags end with the node
   * @param server the PostgreSQL server that keeps all but secrets and the log; empty for the
   *     folder
   */
  public record Keeping(boolean spaceInMemory, Optional<ServerSettings> server) {

    public static Keeping inFolder() {
      return new Keeping(false, Optional.empty());
    }

    public static Keeping on(ServerSettings server) {
      return new Keeping(false, Optional.of(server));
    }

    public Keeping withSpaceInMemory() {
      return new Keeping(true, server);
    }
  }

  /**
   * Where the passphrase of the authority's key comes from.
   *
   * @param file outside the folder; empty for a credential of systemd, or one that is made and
   *     warned of
   * @param asked a person types it
   */
  public record PassphraseSource(Optional<Path> file, boolean asked) {
    public PassphraseSource {
      if (file.isPresent() && asked) {
        throw new IllegalArgumentException(
            "the passphrase comes from a file or from a person, not from both");
      }
    }

    public static PassphraseSource ofSurroundings() {
      return new PassphraseSource(Optional.empty(), false);
    }

    public static PassphraseSource in(Path file) {
      return new PassphraseSource(Optional.of(file), false);
    }
  }

  /** The settings of a node in the folder, nothing else said. */
  public static NodeSettings in(Home home) {
    return new NodeSettings(
        home,
        Listening.usual(),
        Market.usual(),
        Keeping.inFolder(),
        NodeLimits.standard(),
        PassphraseSource.ofSurroundings(),
        Optional.empty());
  }

  public NodeSettings with(Listening listening) {
    return new NodeSettings(home, listening, market, keeping, limits, passphrase, openId);
  }

  public NodeSettings with(Market market) {
    return new NodeSettings(home, listening, market, keeping, limits, passphrase, openId);
  }

  public NodeSettings with(Keeping keeping) {
    return new NodeSettings(home, listening, market, keeping, limits, passphrase, openId);
  }

  public NodeSettings with(NodeLimits limits) {
    return new NodeSettings(home, listening, market, keeping, limits, passphrase, openId);
  }

  public NodeSettings with(PassphraseSource passphrase) {
    return new NodeSettings(home, listening, market, keeping, limits, passphrase, openId);
  }

  public NodeSettings with(OpenIdSettings provider) {
    return new NodeSettings(
        home, listening, market, keeping, limits, passphrase, Optional.of(provider));
  }
}

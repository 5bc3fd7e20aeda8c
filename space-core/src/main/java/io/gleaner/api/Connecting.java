package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.rest.ConsoleTrust;
import io.gleaner.api.rest.LocalNode;
import io.gleaner.api.rest.Patience;
import io.gleaner.api.rest.RestClient;
import io.gleaner.enrolment.JoinToken;
import io.gleaner.gateway.ConnectSettings;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.gateway.PoolMember;
import io.gleaner.jini.Pool;
import io.gleaner.jini.PoolFinder;
import io.gleaner.secrets.Secret;
import io.gleaner.tls.LoopbackOnly;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Where a market is, who asks, and how long it is waited for; immutable.
 *
 * @param console URL of a node's console
 * @param token API token of the user
 * @param patience for the console
 * @param trust whom an https console has to be of
 * @param gateways where the tuple spaces are, several nodes of one pool; empty to ask the console
 * @param member folder with the key and certificate for the tuple spaces; empty if none are used
 * @param joinToken by which the program joins while that folder holds no certificate
 */
public record Connecting(
    URI console,
    Secret token,
    Patience patience,
    ConsoleTrust trust,
    List<GatewayAddress> gateways,
    Optional<Path> member,
    Optional<Secret> joinToken) {
  private static final Duration LOOKUP_PATIENCE = Duration.ofSeconds(20);

  public Connecting {
    gateways = List.copyOf(gateways);
  }

  static Connecting to(URI console, Secret token) {
    return new Connecting(
        console,
        token,
        Patience.usual(),
        ConsoleTrust.ofSurroundings(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * The console at an http URL, or that of a pool that a lookup service knows.
   *
   * @throws io.gleaner.gateway.GatewayException if no pool is found
   */
  static Connecting at(String address, Secret token) {
    if (!PoolFinder.isLookup(address)) {
      return to(consoleAt(address), token);
    }
    Pool pool = PoolFinder.pool(address, LOOKUP_PATIENCE);
    URI console =
        pool.console()
            .filter(found -> found.getHost() != null)
            .orElseThrow(
                () ->
                    new GleanerException(
                        Code.UNREACHABLE,
                        "the lookup service at "
                            + address
                            + " knows the pool '"
                            + pool.name()
                            + "' but not its console; name its URL, such as http://127.0.0.1:7480"));
    // Whoever registered it may be anybody, and the token goes there.
    InetAddress unused = LoopbackOnly.check(console.getHost());
    Connecting found = to(console, token);
    return new Connecting(
        found.console,
        token,
        found.patience,
        found.trust,
        List.of(pool.gateway()),
        Optional.empty(),
        Optional.empty());
  }

  private static URI consoleAt(String address) {
    try {
      URI uri = URI.create(address.strip());
      if (uri.getHost() != null && uri.getScheme() != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw badAddress(address, e);
    }
    throw badAddress(address, null);
  }

  private static GleanerException badAddress(String address, Throwable cause) {
    return new GleanerException(
        Code.INVALID,
        "'"
            + address
            + "' is no address of a market; expected the URL of a console such as"
            + " http://127.0.0.1:7480, or jini://host[:port] or jini:group@interface for a lookup"
            + " service",
        cause);
  }

  /** The node that the environment names, else the one in this user's folder. */
  static Connecting fromSurroundings() {
    Optional<String> url = variable("GLEANER_URL");
    Optional<Secret> token = variable("GLEANER_API_TOKEN").map(Secret::of);
    if (url.isPresent() && token.isPresent()) {
      return at(url.get(), token.get());
    }
    LocalNode node =
        LocalNode.find()
            .orElseThrow(
                () ->
                    new GleanerException(
                        Code.UNREACHABLE,
                        "no node runs in "
                            + LocalNode.home()
                            + "; start one with 'gleaner up', or set GLEANER_URL and"
                            + " GLEANER_API_TOKEN"));
    Connecting local =
        url.map(named -> at(named, token.orElseGet(node::commandToken)))
            .orElseGet(() -> to(node.console(), token.orElseGet(node::commandToken)));
    return url.isPresent() ? local : local.withLocalGateway(node);
  }

  private Connecting withLocalGateway(LocalNode node) {
    return new Connecting(
        console,
        token,
        patience,
        node.trust(),
        List.of(node.gateway()),
        Optional.of(node.application()),
        Optional.empty());
  }

  /**
   * For {@link Gleaner#space}: an application's join token, by which the program joins while the
   * folder that {@link #gateway} names holds no certificate.
   */
  public Connecting joinToken(Secret token) {
    return new Connecting(
        console, this.token, patience, trust, gateways, member, Optional.of(token));
  }

  /** The time-outs. */
  public Connecting patience(Patience time) {
    return new Connecting(console, token, time, trust, gateways, member, joinToken);
  }

  /**
   * The fingerprints, with commas between, of the pool's authority or of the console's own key, for
   * a console whose certificate this machine does not know; without them what {@code
   * GLEANER_AUTHORITY} says.
   *
   * @throws io.gleaner.secrets.SecurityRefusal if one is none
   */
  public Connecting authority(String fingerprints) {
    return new Connecting(
        console, token, patience, ConsoleTrust.parse(fingerprints), gateways, member, joinToken);
  }

  /** How long requests are tried again when the node is away; zero tries once. */
  public Connecting giveUpAfter(Duration time) {
    return patience(patience.withGiveUp(time));
  }

  /**
   * For {@link Gleaner#space}: the gateway's {@code host:port}, or those of several nodes of the
   * pool with commas between them, or a lookup service as in {@link Gleaner#connect(String,
   * Secret)}; and the folder of this program alone, where its key and certificate are or will be,
   * see {@link #joinToken}. With several, the program goes on at another node when its own is lost.
   */
  public Connecting gateway(String addresses, Path member) {
    return new Connecting(
        console,
        token,
        patience,
        trust,
        PoolFinder.gateways(addresses, LOOKUP_PATIENCE),
        Optional.of(member),
        joinToken);
  }

  /**
   * Connects, and asks the node who the user is.
   *
   * @throws GleanerException if it does not answer or refuses the token
   */
  public Gleaner connect() {
    Gleaner market = new Gleaner(this, new RestClient(console, token, patience, trust));
    try {
      String unused = market.user();
      return market;
    } catch (RuntimeException e) {
      market.close();
      throw e;
    }
  }

  GatewayConnection openGateway(RestClient rest) {
    Path folder =
        member.orElseThrow(
            () ->
                new GleanerException(
                    Code.NOT_ALLOWED,
                    "a tuple space needs an application's certificate; name the folder with it by"
                        + " Gleaner.to(...).gateway(address, folder), or connect without an"
                        + " address on the node's own machine"));
    List<GatewayAddress> addresses =
        gateways.isEmpty()
            ? List.of(
                GatewayAddress.parse(
                    rest.get("/api/v1/status").path("node").path("gatewayAddress").asString("")))
            : gateways;
    PoolMember self =
        PoolMember.inOrJoined(
            folder, addresses, joinToken.map(JoinToken::parse), InstantSource.system());
    self.tryToRenew(addresses);
    return GatewayConnection.connect(
        addresses, self, new ConnectSettings(patience.connect(), patience.giveUp()));
  }

  static Secret tokenOfSurroundings() {
    return variable("GLEANER_API_TOKEN")
        .map(Secret::of)
        .orElseThrow(
            () ->
                new GleanerException(
                    Code.NOT_ALLOWED,
                    "no API token is named; set GLEANER_API_TOKEN, or use"
                        + " Gleaner.connect(address, token)"));
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).map(String::strip).filter(t -> !t.isEmpty());
  }
}

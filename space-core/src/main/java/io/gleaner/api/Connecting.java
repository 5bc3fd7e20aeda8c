package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.rest.LocalNode;
import io.gleaner.api.rest.Patience;
import io.gleaner.api.rest.RestClient;
import io.gleaner.gateway.ConnectSettings;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.secrets.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a market is, who asks, and how long it is waited for; immutable.
 *
 * @param console URL of a node's console
 * @param token API token of the user
 * @param patience for the console
 * @param gateway where the tuple spaces are; empty to ask the console
 * @param joinToken for the tuple spaces; empty if none are used
 */
public record Connecting(
    URI console,
    Secret token,
    Patience patience,
    Optional<GatewayAddress> gateway,
    Optional<Secret> joinToken) {

  static Connecting to(URI console, Secret token) {
    return new Connecting(console, token, Patience.usual(), Optional.empty(), Optional.empty());
  }

  /** The node that the environment names, else the one in this user's folder. */
  static Connecting fromSurroundings() {
    Optional<String> url = variable("GLEANER_URL");
    Optional<Secret> token = variable("GLEANER_API_TOKEN").map(Secret::of);
    if (url.isPresent() && token.isPresent()) {
      return to(URI.create(url.get()), token.get());
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
        to(url.map(URI::create).orElse(node.console()), token.orElseGet(node::commandToken));
    return url.isPresent() ? local : local.withLocalGateway(node);
  }

  private Connecting withLocalGateway(LocalNode node) {
    return new Connecting(console, token, patience, Optional.of(node.gateway()), node.joinToken());
  }

  /** The time-outs. */
  public Connecting patience(Patience time) {
    return new Connecting(console, token, time, gateway, joinToken);
  }

  /** How long requests are tried again when the node is away; zero tries once. */
  public Connecting giveUpAfter(Duration time) {
    return patience(patience.withGiveUp(time));
  }

  /** For {@link Gleaner#space}: the gateway's {@code host:port} and a join token. */
  public Connecting gateway(String address, Secret token) {
    return new Connecting(
        console,
        this.token,
        patience,
        Optional.of(GatewayAddress.parse(address)),
        Optional.of(token));
  }

  /**
   * Connects, and asks the node who the user is.
   *
   * @throws GleanerException if it does not answer or refuses the token
   */
  public Gleaner connect() {
    Gleaner market = new Gleaner(this, new RestClient(console, token, patience));
    try {
      String unused = market.user();
      return market;
    } catch (RuntimeException e) {
      market.close();
      throw e;
    }
  }

  GatewayConnection openGateway(RestClient rest) {
    Secret join =
        joinToken.orElseThrow(
            () ->
                new GleanerException(
                    Code.NOT_ALLOWED,
                    "a tuple space needs a join token; name it with"
                        + " Gleaner.to(...).gateway(address, token)"));
    GatewayAddress address =
        gateway.orElseGet(
            () ->
                GatewayAddress.parse(
                    rest.get("/api/v1/status").path("node").path("gatewayAddress").asString("")));
    return GatewayConnection.connect(
        address, join, "program", new ConnectSettings(patience.connect(), patience.giveUp()));
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).map(String::strip).filter(t -> !t.isEmpty());
  }
}

package io.gleaner.rest;

import io.gleaner.bag.Bags;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.live.LiveHub;
import io.gleaner.live.MarketSnapshot;
import io.gleaner.maker.MarketView;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The node and its market. */
public final class MarketOperations {
  private static final int MOST_BAGS = 500;

  private final NodeFacts node;
  private final MarketView market;
  private final VisibleBags visible;
  private final VisibleLaunchers visibleLaunchers;
  private final LiveHub hub;
  private final OffLoop offLoop;

  /** That it answers, and as what. */
  record Health(String status, String version) {}

  /**
   * The market with the node that makes it.
   *
   * @param contracts those of bags that the caller may see
   */
  record Status(
      NodeFacts node, MarketSnapshot market, List<MarketView.Contract> contracts, int streams) {}

  /** The answer to who earns what. */
  record LauncherList(List<VisibleLaunchers.Explained> launchers) {}

  public MarketOperations(
      NodeFacts node,
      MarketView market,
      VisibleBags visible,
      VisibleLaunchers visibleLaunchers,
      LiveHub hub,
      OffLoop offLoop) {
    this.node = node;
    this.market = market;
    this.visible = visible;
    this.visibleLaunchers = visibleLaunchers;
    this.hub = hub;
    this.offLoop = offLoop;
  }

  void health(RoutingContext ctx) {
    Json.send(ctx, 200, new Health("up", node.version()));
  }

  void status(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    int streams = hub.streams();
    offLoop
        .call(() -> new Status(node, MarketSnapshot.of(market), contractsFor(caller), streams))
        .onSuccess(status -> Json.send(ctx, 200, status))
        .onFailure(ctx::fail);
  }

  void launchers(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    offLoop
        .call(() -> new LauncherList(visibleLaunchers.of(caller)))
        .onSuccess(list -> Json.send(ctx, 200, list))
        .onFailure(ctx::fail);
  }

  private List<MarketView.Contract> contractsFor(Caller caller) {
    List<MarketView.Contract> all = market.contracts();
    if (caller.may(Action.READ, Thing.every(Thing.BAG))) {
      return all;
    }
    Set<String> own =
        visible.list(caller, MOST_BAGS).stream()
            .map(Bags.Summary::jobId)
            .collect(Collectors.toSet());
    return all.stream().filter(contract -> own.contains(contract.jobId())).toList();
  }
}

package io.gleaner.pages;

import io.gleaner.http.OffLoop;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.ledger.Ledger;
import io.gleaner.live.BagView;
import io.gleaner.live.LiveHub;
import io.gleaner.live.MarketSnapshot;
import io.gleaner.rest.VisibleBags;
import io.gleaner.rest.VisibleLaunchers;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The first page: the market now, the launchers, the caller's bags and money. */
public final class OverviewPage {
  private static final int BAGS_SHOWN = 50;

  private final VisibleBags visible;
  private final VisibleLaunchers visibleLaunchers;
  private final Ledger ledger;
  private final LiveHub hub;
  private final Frames frames;
  private final InstantSource clock;
  private final OffLoop offLoop;

  /**
   * What the page shows.
   *
   * @param ofEverybody whether bags of others are among them
   * @param explained why launchers earn what they earn, by id, as far as the caller may know
   */
  public record Overview(
      MarketSnapshot market,
      Map<String, String> explained,
      List<BagView> bags,
      boolean ofEverybody,
      long balanceMicros,
      long earnedMicros) {}

  OverviewPage(
      VisibleBags visible,
      VisibleLaunchers visibleLaunchers,
      Ledger ledger,
      LiveHub hub,
      Frames frames,
      InstantSource clock,
      OffLoop offLoop) {
    this.visible = visible;
    this.visibleLaunchers = visibleLaunchers;
    this.ledger = ledger;
    this.hub = hub;
    this.frames = frames;
    this.clock = clock;
    this.offLoop = offLoop;
  }

  void show(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    Frame frame = frames.of(caller, "Overview", "overview");
    MarketSnapshot market = hub.market();
    offLoop
        .call(
            () ->
                new Overview(
                    market,
                    visibleLaunchers.of(caller).stream()
                        .collect(
                            Collectors.toMap(
                                VisibleLaunchers.Explained::id,
                                VisibleLaunchers.Explained::explanation,
                                (first, second) -> first)),
                    visible.list(caller, BAGS_SHOWN).stream()
                        .map(bag -> BagView.of(bag, clock.instant()))
                        .toList(),
                    caller.may(Action.READ, Thing.every(Thing.BAG)),
                    ledger.balance("user/" + caller.name()),
                    ledger.balance("owner/" + caller.name())))
        .onSuccess(
            page -> Templates.send(ctx, 200, "overview", Map.of("frame", frame, "page", page)))
        .onFailure(ctx::fail);
  }
}

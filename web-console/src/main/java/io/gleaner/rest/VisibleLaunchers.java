package io.gleaner.rest;

import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.maker.MarketView;
import io.gleaner.signin.Caller;
import java.util.List;

/**
 * Why launchers earn what they earn: an answer names a reserve price, so it is for the launcher's
 * owner and for those who see everything.
 */
public final class VisibleLaunchers {
  private final MarketView market;

  /**
   * A launcher with its reason.
   *
   * @param explanation a sentence; empty for a launcher that the market does not know yet
   */
  public record Explained(String id, String owner, String explanation) {}

  public VisibleLaunchers(MarketView market) {
    this.market = market;
  }

  /** The launchers of which the caller may know the reason. */
  public List<Explained> of(Caller caller) {
    return market.launchers().stream()
        .filter(launcher -> caller.may(Action.READ, Thing.of(Thing.LAUNCHER, launcher.owner())))
        .map(
            launcher ->
                new Explained(
                    launcher.launcherId(),
                    launcher.owner(),
                    market.explainLauncher(launcher.launcherId()).orElse("")))
        .toList();
  }
}

package io.gleaner.live;

import io.gleaner.maker.MarketView;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The market at one moment, without anything that belongs to one submitter only: everybody who
 * signed in may see it.
 *
 * @param microsPerUnit the clearing price; empty if nobody traded or there are no prices
 * @param history clearing prices of the last rounds, oldest first, null where there was none
 */
public record MarketSnapshot(
    long round,
    String economy,
    String mechanism,
    Optional<Long> microsPerUnit,
    int slotsOffered,
    int slotsWanted,
    int slotsTraded,
    int contracts,
    Instant clearedAt,
    String note,
    List<Optional<Long>> history,
    List<Launcher> launchers) {

  private static final int ROUNDS_SHOWN = 120;

  /**
   * A launcher and why it is in its state.
   *
   * @param reason without the state that a launcher may write in front of it
   * @param running how many tasks, not whose
   */
  public record Launcher(
      String id,
      String owner,
      String state,
      String reason,
      int slots,
      long microUnitsPerSecond,
      int running,
      long completed,
      long meteredMicroUnits) {

    static Launcher of(MarketView.LauncherStatus status) {
      return new Launcher(
          status.launcherId(),
          status.owner(),
          status.state(),
          reason(status),
          status.slots(),
          status.microUnitsPerSecond(),
          status.running().size(),
          status.completed(),
          status.meteredMicroUnits());
    }

    private static String reason(MarketView.LauncherStatus status) {
      String reason = status.reason();
      int colon = reason.indexOf(": ");
      boolean repeats = reason.startsWith(status.state().toLowerCase(Locale.ROOT));
      return repeats && colon >= 0 ? reason.substring(colon + 2) : reason;
    }
  }

  public static MarketSnapshot of(MarketView market) {
    MarketView.Clearing last = market.clearing();
    List<MarketView.Clearing> before = market.history();
    return new MarketSnapshot(
        last.round(),
        last.economy(),
        last.mechanism(),
        price(last),
        last.slotsOffered(),
        last.slotsWanted(),
        last.slotsTraded(),
        market.contracts().size(),
        last.at(),
        last.note(),
        before.subList(Math.max(0, before.size() - ROUNDS_SHOWN), before.size()).stream()
            .map(MarketSnapshot::price)
            .toList(),
        market.launchers().stream().map(Launcher::of).toList());
  }

  private static Optional<Long> price(MarketView.Clearing clearing) {
    return clearing.microsPerUnit().isPresent()
        ? Optional.of(clearing.microsPerUnit().getAsLong())
        : Optional.empty();
  }
}

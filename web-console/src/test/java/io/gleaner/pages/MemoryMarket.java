package io.gleaner.pages;

import io.gleaner.maker.MarketView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A market whose rounds a test makes. Guarded by its monitor. */
public final class MemoryMarket implements MarketView {
  private final List<Clearing> history = new ArrayList<>();
  private Clearing last =
      new Clearing(
          1,
          0,
          "market",
          "call-market",
          OptionalLong.empty(),
          0,
          0,
          0,
          Instant.EPOCH,
          "nobody bids yet");
  private List<LauncherStatus> launchers = List.of();

  /** A round in which everybody who wanted a slot traded at the price. */
  public synchronized void clears(long microsPerUnit, int offered, int wanted) {
    history.add(last);
    last =
        new Clearing(
            1,
            last.round() + 1,
            "market",
            "call-market",
            OptionalLong.of(microsPerUnit),
            offered,
            wanted,
            Math.min(offered, wanted),
            Instant.EPOCH.plusSeconds(last.round()),
            "");
  }

  public synchronized void has(LauncherStatus... present) {
    launchers = List.of(present);
  }

  @Override
  public synchronized Clearing clearing() {
    return last;
  }

  @Override
  public synchronized List<Clearing> history() {
    return List.copyOf(history);
  }

  @Override
  public synchronized List<Contract> contracts() {
    return List.of(new Contract("c-1", "launcher-1", "bag-1", 2, 1_500_000));
  }

  @Override
  public synchronized List<LauncherStatus> launchers() {
    return launchers;
  }

  @Override
  public Optional<String> explain(String jobId) {
    return Optional.of("2 of 4 wanted slots at 1.5 credits per unit; the others sold higher");
  }

  @Override
  public Optional<String> explainLauncher(String launcherId) {
    return Optional.of("serves at its reserve price");
  }
}

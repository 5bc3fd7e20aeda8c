package io.gleaner.maker;

import io.gleaner.book.Action.Publish;
import io.gleaner.book.Action.Refuse;
import io.gleaner.book.Book;
import io.gleaner.book.Plan;
import io.gleaner.book.Reason;
import io.gleaner.tuple.StatusEntry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The market as people see it. The market-maker's thread writes, any thread reads the last whole
 * round.
 */
final class Board implements MarketView {
  private final int historyLength;
  private final Deque<Clearing> history = new ArrayDeque<>();
  private final Presence presence = new Presence();
  private volatile Snapshot snapshot;

  Board(Economy economy, int historyLength, Instant now) {
    this.historyLength = historyLength;
    this.snapshot =
        new Snapshot(
            new Clearing(
                0,
                0,
                economy.text(),
                "none",
                OptionalLong.empty(),
                0,
                0,
                0,
                now,
                "the market-maker has not cleared yet"),
            List.of(),
            new Book(List.of(), List.of(), List.of(), List.of()),
            List.of(),
            List.of(),
            Map.of());
  }

  /** Somebody else is in office; what was seen last stays. */
  void standsBy(Instant now) {
    Clearing last = snapshot.clearing();
    show(
        new Clearing(
            last.epoch(),
            last.round(),
            last.economy(),
            last.mechanism(),
            last.microsPerUnit(),
            last.slotsOffered(),
            last.slotsWanted(),
            last.slotsTraded(),
            now,
            "this market-maker stands by: another one is in office"),
        snapshot.book(),
        snapshot.contracts(),
        snapshot.launchers(),
        snapshot.refusals());
  }

  /** Shows a round. */
  void show(
      long epoch,
      long round,
      Economy economy,
      Plan plan,
      Book book,
      List<io.gleaner.book.Contract> contracts,
      List<StatusEntry> statuses,
      Instant now) {
    Publish figures = plan.actions(Publish.class).get(0);
    Clearing clearing =
        new Clearing(
            epoch,
            round,
            economy.text(),
            plan.mechanism(),
            price(figures, economy),
            figures.slotsOffered(),
            figures.slotsWanted(),
            figures.slotsTraded(),
            now,
            note(figures, economy));
    Map<String, Reason> refusals = new HashMap<>();
    for (Refuse refuse : plan.actions(Refuse.class)) {
      refusals.put(refuse.jobId(), refuse.reason());
    }
    show(clearing, book, contracts, presence.of(book, statuses, now), refusals);
  }

  private void show(
      Clearing clearing,
      Book book,
      List<io.gleaner.book.Contract> contracts,
      List<LauncherStatus> launchers,
      Map<String, Reason> refusals) {
    if (history.isEmpty() || !sameFigures(history.getLast(), clearing)) {
      history.addLast(clearing);
      if (history.size() > historyLength) {
        history.removeFirst();
      }
    }
    snapshot = new Snapshot(clearing, List.copyOf(history), book, contracts, launchers, refusals);
  }

  private static boolean sameFigures(Clearing a, Clearing b) {
    return a.epoch() == b.epoch()
        && a.economy().equals(b.economy())
        && a.microsPerUnit().equals(b.microsPerUnit())
        && a.slotsOffered() == b.slotsOffered()
        && a.slotsWanted() == b.slotsWanted()
        && a.slotsTraded() == b.slotsTraded()
        && a.note().equals(b.note());
  }

  /** This round's price; while contracts of an earlier one are in force, theirs. */
  private OptionalLong price(Publish figures, Economy economy) {
    if (economy == Economy.FAIR_SHARE) {
      return OptionalLong.empty();
    }
    OptionalLong found = figures.microsPerUnit();
    return found.isPresent() || figures.slotsTraded() == 0
        ? found
        : snapshot.clearing().microsPerUnit();
  }

  private static String note(Publish figures, Economy economy) {
    if (economy == Economy.FAIR_SHARE) {
      return "fair share has no prices";
    }
    if (figures.slotsOffered() == 0) {
      return "no slots on offer";
    }
    if (figures.slotsWanted() == 0) {
      return "no bag wants a slot";
    }
    if (figures.slotsTraded() == 0) {
      return "no bid that fits reaches a reserve price";
    }
    if (figures.prices().isEmpty()) {
      return "all slots that fit are under contract";
    }
    String how =
        figures.prices().stream().anyMatch(price -> price.posted())
            ? "thin market, posted price"
            : "one price for all who trade";
    return figures.prices().size() == 1
        ? how
        : how + ", " + figures.prices().size() + " classes of eligibility";
  }

  @Override
  public Clearing clearing() {
    return snapshot.clearing();
  }

  @Override
  public List<Clearing> history() {
    return snapshot.history();
  }

  @Override
  public List<MarketView.Contract> contracts() {
    return snapshot.contracts().stream()
        .map(
            c ->
                new MarketView.Contract(
                    c.contractId(), c.launcherId(), c.jobId(), c.slots(), c.microsPerUnit()))
        .sorted(Comparator.comparing(MarketView.Contract::contractId))
        .toList();
  }

  @Override
  public List<LauncherStatus> launchers() {
    return snapshot.launchers();
  }

  @Override
  public Optional<String> explain(String jobId) {
    return snapshot.explain(jobId);
  }

  @Override
  public Optional<String> explainLauncher(String launcherId) {
    return snapshot.explainLauncher(launcherId);
  }
}

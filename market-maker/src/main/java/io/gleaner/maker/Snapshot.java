package io.gleaner.maker;

import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Offer;
import io.gleaner.book.Reason;
import io.gleaner.book.WaitingBag;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one round left behind for people to look at; immutable.
 *
 * @param refusals why bags have no slot, by bag
 */
record Snapshot(
    MarketView.Clearing clearing,
    List<MarketView.Clearing> history,
    Book book,
    List<Contract> contracts,
    List<MarketView.LauncherStatus> launchers,
    Map<String, Reason> refusals) {

  Optional<String> explain(String jobId) {
    Optional<WaitingBag> bag = book.bag(jobId);
    if (bag.isEmpty()) {
      return Optional.empty();
    }
    List<Contract> own = contracts.stream().filter(c -> c.jobId().equals(jobId)).toList();
    if (!own.isEmpty()) {
      return Optional.of(
          "Has "
              + own.stream().mapToInt(Contract::slots).sum()
              + " slots"
              + terms(own)
              + "; "
              + bag.get().remainingTasks()
              + " tasks remain, "
              + clearing.slotsOffered()
              + " slots are on offer in all.");
    }
    return Optional.of(
        Optional.ofNullable(refusals.get(jobId))
            .map(Explanation::waits)
            .orElse(
                bag.get().remainingTasks() == 0
                    ? "Needs no slot: none of its tasks remains."
                    : "Waits for the next round."));
  }

  private static String terms(List<Contract> contracts) {
    long low = contracts.stream().mapToLong(Contract::microsPerUnit).min().orElseThrow();
    long high = contracts.stream().mapToLong(Contract::microsPerUnit).max().orElseThrow();
    if (high == 0) {
      return " without a price";
    }
    return low == high
        ? " at " + Explanation.price(low)
        : " at " + Explanation.price(low) + " to " + Explanation.price(high);
  }

  Optional<String> explainLauncher(String launcherId) {
    Optional<Offer> offer = book.offer(launcherId);
    if (offer.isEmpty()) {
      return launchers.stream()
          .filter(status -> status.launcherId().equals(launcherId))
          .findFirst()
          .map(status -> "Offers nothing: it is " + status.state() + ", " + status.reason() + ".");
    }
    List<Contract> own = contracts.stream().filter(c -> c.launcherId().equals(launcherId)).toList();
    if (!own.isEmpty()) {
      return Optional.of(
          "Serves with "
              + own.stream().mapToInt(Contract::slots).sum()
              + " of "
              + offer.get().slots()
              + " slots"
              + terms(own)
              + ".");
    }
    long cheaper =
        book.offers().stream()
            .filter(o -> o.reserveMicrosPerUnit() < offer.get().reserveMicrosPerUnit())
            .count();
    return Optional.of(
        "Earns nothing: its reserve price is "
            + Explanation.price(offer.get().reserveMicrosPerUnit())
            + ", "
            + cheaper
            + " of "
            + book.offers().size()
            + " launchers ask for less, the last price was "
            + (clearing.microsPerUnit().isPresent()
                ? Explanation.price(clearing.microsPerUnit().getAsLong())
                : "none")
            + " and "
            + clearing.slotsWanted()
            + " slots were wanted in round "
            + clearing.round()
            + ".");
  }
}

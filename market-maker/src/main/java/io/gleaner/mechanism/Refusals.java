package io.gleaner.mechanism;

import io.gleaner.book.Action.Refuse;
import io.gleaner.book.Book;
import io.gleaner.book.Eligibility;
import io.gleaner.book.Reason;
import io.gleaner.book.Rule;
import io.gleaner.book.WaitingBag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says of every bag that has no slot after a call why it has none. */
final class Refusals {
  private Refusals() {}

  static List<Refuse> of(Book book, Standing standing, List<ClassBook> classes, Instant now) {
    List<Refuse> refusals = new ArrayList<>();
    for (WaitingBag bag : book.bags()) {
      Eligibility.bars(bag, now)
          .ifPresent(rule -> refusals.add(new Refuse(bag.jobId(), Reason.of(rule, 0))));
    }
    for (ClassBook of : classes) {
      Optional<Rule> misfit = Eligibility.barsAll(of.requirements(), book.offers());
      for (int place = 0; place < of.bids().size(); place++) {
        Bid bid = of.bids().get(place);
        boolean waits = bid.bag().remainingTasks() > 0;
        if (waits && of.won(place) == 0 && standing.servedSlots(bid.bag().jobId()) == 0) {
          Rule rule = misfit.orElseGet(() -> rule(of, bid));
          refusals.add(new Refuse(bid.bag().jobId(), reason(rule, of, bid, place + 1)));
        }
      }
    }
    return refusals;
  }

  private static Rule rule(ClassBook of, Bid bid) {
    if (bid.slots() == 0) {
      return Rule.MONEY_SHORT;
    }
    if (of.posted().isPresent() && bid.micros() < of.posted().getAsLong()) {
      return bid.moneyShort() ? Rule.MONEY_SHORT : Rule.BELOW_POSTED;
    }
    if (of.nextAsk().isPresent() && of.nextAsk().getAsLong() > bid.micros()) {
      return bid.moneyShort() ? Rule.MONEY_SHORT : Rule.BELOW_RESERVE;
    }
    if (of.nextAsk().isPresent()) {
      return Rule.POSTED_BELOW_RESERVE;
    }
    return of.traded() == 0 ? Rule.NO_FREE_SLOT : Rule.OUTBID;
  }

  private static Reason reason(Rule rule, ClassBook of, Bid bid, int rank) {
    long price =
        switch (rule) {
          case BELOW_POSTED -> of.posted().orElse(0);
          case BELOW_RESERVE, POSTED_BELOW_RESERVE -> of.nextAsk().orElse(0);
          case MONEY_SHORT -> bid.bag().costOfTask(bid.bag().bidMicrosPerUnit());
          default -> of.price().orElse(0);
        };
    return new Reason(rule, rank, of.bids().size(), bid.micros(), price, of.traded());
  }
}

package io.gleaner.mechanism;

import io.gleaner.book.Eligibility;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Gives each slot, from the lowest reserve, to the class that it fits with the highest marginal
 * bid.
 *
 * <p>Reserves only rise and marginal bids only fall, so a class that does not reach a slot's
 * reserve will reach none after it: one pass finds the last pair of every class.
 */
final class Allotment {

  /** A class as it stood when it was last looked at. */
  private record Standpoint(ClassBook book, long marginalBid, int place) {}

  private static final Comparator<Standpoint> HIGHEST =
      Comparator.comparingLong(Standpoint::marginalBid)
          .reversed()
          .thenComparingInt(Standpoint::place);

  private final Collection<ClassBook> books;
  private final SlotTypes types;
  private final Map<SlotTypes.Type, PriorityQueue<Standpoint>> queues = new HashMap<>();
  private final Map<SlotTypes.Type, List<ClassBook>> fitting = new HashMap<>();

  private Allotment(Collection<ClassBook> books) {
    this.books = books;
    this.types = new SlotTypes(books.stream().map(ClassBook::requirements).toList());
  }

  /**
   * Fills the books.
   *
   * @param books in a total order that breaks ties between equal marginal bids
   * @param lots in the order of {@link Lot#ORDER}
   */
  static void fill(Collection<ClassBook> books, List<Lot> lots) {
    Allotment allotment = new Allotment(books);
    lots.forEach(allotment::place);
  }

  private void place(Lot lot) {
    SlotTypes.Type type = types.of(lot.offer());
    PriorityQueue<Standpoint> queue = queues.computeIfAbsent(type, t -> queueOf(t, lot));
    Lot left = lot;
    while (left.slots() > 0 && !queue.isEmpty()) {
      Standpoint top = queue.poll();
      if (top.marginalBid() != top.book().marginalBid()) {
        queue.add(new Standpoint(top.book(), top.book().marginalBid(), top.place()));
      } else if (top.book().reaches(lot.reserve())) {
        left = left.with(left.slots() - top.book().sell(left));
        queue.add(new Standpoint(top.book(), top.book().marginalBid(), top.place()));
      }
    }
    if (left.slots() > 0) {
      fitting.get(type).forEach(book -> book.leaves(lot.reserve()));
    }
  }

  private PriorityQueue<Standpoint> queueOf(SlotTypes.Type type, Lot lot) {
    PriorityQueue<Standpoint> queue = new PriorityQueue<>(HIGHEST);
    List<ClassBook> fits =
        books.stream().filter(b -> Eligibility.fits(b.requirements(), lot.offer())).toList();
    fitting.put(type, fits);
    int place = 0;
    for (ClassBook book : fits) {
      queue.add(new Standpoint(book, book.marginalBid(), place++));
    }
    return queue;
  }
}

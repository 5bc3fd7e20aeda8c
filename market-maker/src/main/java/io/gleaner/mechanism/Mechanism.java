package io.gleaner.mechanism;

import io.gleaner.book.Book;
import io.gleaner.book.Plan;
import io.gleaner.book.Trigger;
import java.time.Instant;

/**
 * Decides which slots serve which bags at which price. Pure and deterministic: the same book in any
 * order gives the same plan; no clock, no thread, no I/O. Safe for all threads.
 */
public interface Mechanism {

  /** The name by which pools and pages call it. */
  String name();

  /**
   * The plan for this book.
   *
   * @param now the moment that quanta and deadlines are compared with
   */
  Plan decide(Trigger trigger, Book book, Instant now);
}

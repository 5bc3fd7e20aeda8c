package io.gleaner.book;

/**
 * Why an action is in a plan, in numbers; what explanations are made from. A figure that has no
 * meaning for the rule is 0.
 *
 * @param rank place among the bids of its class, from 1
 * @param depth how many bids, or users, stand in that line
 * @param bidMicrosPerUnit what the bag offers
 * @param priceMicrosPerUnit what it would have to beat, or pays
 * @param slots slots that the rule speaks of
 */
public record Reason(
    Rule rule, int rank, int depth, long bidMicrosPerUnit, long priceMicrosPerUnit, int slots) {

  /** A rule that needs no figure but a number of slots. */
  public static Reason of(Rule rule, int slots) {
    return new Reason(rule, 0, 0, 0, 0, slots);
  }
}

package io.gleaner.mechanism;

/**
 * The price of a call: everybody who trades pays it. Source: k-double auction with k = 1/2, Wilson
 * (1985), over the interval that keeps the marginal pair in and the next one out.
 */
final class UniformPrice {
  /** Stands for a bid that is not there. */
  static final long NO_BID = -1;

  /** Stands for an ask that is not there. */
  static final long NO_ASK = Long.MAX_VALUE;

  private UniformPrice() {}

  /**
   * The midpoint of [max(ask q*, bid q*+1), min(bid q*, ask q*+1)], rounded down.
   *
   * @param lastBid the lowest bid that trades
   * @param lastAsk the highest ask that trades
   * @param nextBid the highest bid that does not, or {@link #NO_BID}
   * @param nextAsk the lowest ask that does not, or {@link #NO_ASK}
   */
  static long of(long lastBid, long lastAsk, long nextBid, long nextAsk) {
    long low = Math.max(lastAsk, nextBid);
    long high = Math.min(lastBid, nextAsk);
    if (low > high) {
      throw new IllegalArgumentException(
          "no uniform price: ["
              + lastAsk
              + ", "
              + nextBid
              + "] over ["
              + lastBid
              + ", "
              + nextAsk
              + "]");
    }
    return low + (high - low) / 2;
  }
}

package io.gleaner.ledger;

/**
 * What the operator decides about money.
 *
 * @param feePerMille the pool's share of every settlement, 0 to 500 thousandths, rounded down
 */
public record LedgerSettings(int feePerMille) {
  public LedgerSettings {
    if (feePerMille < 0 || feePerMille > 500) {
      throw new LedgerException(
          LedgerException.Code.INVALID,
          "ledger: feePerMille = " + feePerMille + ", expected 0 to 500");
    }
  }

  /** No fee. */
  public static LedgerSettings defaults() {
    return new LedgerSettings(0);
  }

  /** The fee on an amount. */
  long feeOf(long micros) {
    return micros / 1000 * feePerMille + micros % 1000 * feePerMille / 1000;
  }
}

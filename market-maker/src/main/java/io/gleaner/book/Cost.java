package io.gleaner.book;

import java.math.BigInteger;

/** Arithmetic between prices per unit and sums, in micros; saturates instead of overflowing. */
public final class Cost {
  /** Micro-units in one unit. */
  public static final long UNIT = 1_000_000;

  private Cost() {}

  /** What this much work costs at this price, rounded up. */
  public static long micros(long microsPerUnit, long microUnits) {
    if (Math.multiplyHigh(microsPerUnit, microUnits) == 0 && microsPerUnit * microUnits >= 0) {
      long product = microsPerUnit * microUnits;
      return product / UNIT + (product % UNIT == 0 ? 0 : 1);
    }
    BigInteger exact = BigInteger.valueOf(microsPerUnit).multiply(BigInteger.valueOf(microUnits));
    return saturated(exact.add(BigInteger.valueOf(UNIT - 1)).divide(BigInteger.valueOf(UNIT)));
  }

  /** The highest price at which this much work costs no more than the sum, rounded down. */
  public static long microsPerUnit(long micros, long microUnits) {
    if (micros <= Long.MAX_VALUE / UNIT) {
      return micros * UNIT / microUnits;
    }
    return saturated(
        BigInteger.valueOf(micros)
            .multiply(BigInteger.valueOf(UNIT))
            .divide(BigInteger.valueOf(microUnits)));
  }

  private static long saturated(BigInteger value) {
    return value.bitLength() < Long.SIZE ? value.longValueExact() : Long.MAX_VALUE;
  }
}

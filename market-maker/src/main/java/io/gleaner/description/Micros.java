package io.gleaner.description;

import java.math.BigDecimal;
import java.util.Optional;

/** Decimals as whole millionths, exactly: credits as micro-credits, units as micro-units. */
public final class Micros {
  /** Millionths in one. */
  public static final long PER_ONE = 1_000_000;

  private Micros() {}

  /** The millionths, or empty if there are more than six decimals or it is too large. */
  public static Optional<Long> parse(String text) {
    try {
      return Optional.of(new BigDecimal(text.strip()).movePointRight(6).longValueExact());
    } catch (ArithmeticException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The millionths as a decimal without needless zeros: 1500000 is {@code 1.5}. */
  public static String format(long micros) {
    BigDecimal value = BigDecimal.valueOf(micros, 6).stripTrailingZeros();
    return (value.signum() == 0 ? BigDecimal.ZERO : value).toPlainString();
  }
}

package io.gleaner.bag;

import io.gleaner.description.BagDescription;
import io.gleaner.description.BagDescription.Per;
import io.gleaner.ledger.Credits;
import java.math.BigInteger;
import java.util.OptionalLong;

/**
 * What a bag bids, from its description.
 *
 * @param microsPerUnit highest price for one unit of work
 * @param microsPerTask highest price for one task, empty where only the unit counts
 * @param mostMicrosPerTask the most that is paid for one task and all its copies: the price for one
 *     task, or its share of a budget without a price limit, so that a bag whose tasks take more
 *     work than estimated has money left for its last task; {@link Long#MAX_VALUE} under a limit
 *     per unit
 * @param mostMicros what the bag costs if every task and replica uses its limit at that price
 */
record Price(
    long microsPerUnit, OptionalLong microsPerTask, long mostMicrosPerTask, long mostMicros) {
  private static final BigInteger MICRO_UNITS = BigInteger.valueOf(1_000_000);

  /**
   * The price of a bag of so many tasks.
   *
   * @throws BagException if the cost cannot be counted, or the budget does not cover one task
   */
  static Price of(BagDescription bag, int tasks) {
    BigInteger copies = BigInteger.valueOf((long) tasks * bag.replication());
    BigInteger estimate = BigInteger.valueOf(bag.estimateMicroUnits());
    BigInteger limit = BigInteger.valueOf(bag.limits().microUnits());
    OptionalLong perTask =
        bag.priceLimit().filter(price -> price.per() == Per.TASK).stream()
            .mapToLong(BagDescription.PriceLimit::micros)
            .findFirst();
    boolean limited = bag.priceLimit().isPresent();
    BigInteger perUnit;
    if (perTask.isPresent()) {
      perUnit = BigInteger.valueOf(perTask.getAsLong()).multiply(MICRO_UNITS).divide(estimate);
    } else if (limited) {
      perUnit = BigInteger.valueOf(bag.priceLimit().get().micros());
    } else {
      perUnit =
          BigInteger.valueOf(bag.budgetMicros())
              .multiply(MICRO_UNITS)
              .divide(copies.multiply(estimate));
    }
    BigInteger oneTask =
        perTask.isPresent()
            ? BigInteger.valueOf(perTask.getAsLong())
            : perUnit.multiply(limit).divide(MICRO_UNITS);
    long most =
        limited
            ? counted("everything at its limits", copies.multiply(oneTask))
            : bag.budgetMicros();
    long mostPerTask = limited ? perTask.orElse(Long.MAX_VALUE) : bag.budgetMicros() / tasks;
    long least =
        counted(
            "one task",
            perUnit
                .multiply(estimate)
                .divide(MICRO_UNITS)
                .multiply(BigInteger.valueOf(bag.replication())));
    if (least > bag.budgetMicros()) {
      throw new BagException(
          BagException.Code.INVALID_DESCRIPTION,
          "budget: one task may cost "
              + Credits.text(least)
              + " credits at the price limit, the budget is "
              + Credits.text(bag.budgetMicros())
              + "; raise the budget or lower the price limit");
    }
    return new Price(counted("one unit", perUnit), perTask, mostPerTask, most);
  }

  private static long counted(String what, BigInteger micros) {
    if (micros.bitLength() > 62) {
      throw new BagException(
          BagException.Code.LIMIT,
          "price_limit: the cost of "
              + what
              + " is too large to be counted; lower the price limit or the limits of the tasks");
    }
    return micros.longValueExact();
  }
}

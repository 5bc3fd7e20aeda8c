package io.gleaner.verification;

import io.gleaner.bag.TaskRegister;
import io.gleaner.ledger.Ledger.Settlement;
import java.math.BigInteger;
import java.util.List;

/** What the members of a quorum earn. Pure. */
final class Payment {
  private static final BigInteger MICRO_UNITS_PER_UNIT = BigInteger.valueOf(1_000_000);

  private Payment() {}

  /**
   * One settlement for each member: its own price times the lowest work claimed, rounded down, and
   * for all together at most what the task may cost.
   */
  static List<Settlement> of(Quorum.Agreed agreed, TaskRegister.Terms terms) {
    long most = terms.microsPerTask() / agreed.members().size();
    return agreed.members().stream()
        .map(
            member ->
                new Settlement(
                    member.task().jobId(),
                    member.task().taskIndex(),
                    member.replica(),
                    member.owner(),
                    Math.min(most, micros(member.microsPerUnit(), agreed.microUnits()))))
        .toList();
  }

  private static long micros(long microsPerUnit, long microUnits) {
    return BigInteger.valueOf(microsPerUnit)
        .multiply(BigInteger.valueOf(microUnits))
        .divide(MICRO_UNITS_PER_UNIT)
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }
}

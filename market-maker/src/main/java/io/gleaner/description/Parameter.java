package io.gleaner.description;

import java.math.BigDecimal;
import java.util.List;

/** One parameter of a sweep and where its values come from. */
public sealed interface Parameter {

  String name();

  /** The same value for every task, as written. */
  record Constant(String name, String value) implements Parameter {}

  /** from, from + step, ... up to and including to; exact decimals. */
  record Range(String name, BigDecimal from, BigDecimal to, BigDecimal step) implements Parameter {
    public Range {
      if (step.signum() == 0 || to.subtract(from).signum() * step.signum() < 0) {
        throw new IllegalArgumentException(from + " to " + to + " by " + step + " is empty");
      }
    }

    /** How many values it has; may be more than a bag takes. */
    public BigDecimal count() {
      return to.subtract(from).divideToIntegralValue(step).add(BigDecimal.ONE);
    }

    /** The value at a position, without needless zeros and never with an exponent. */
    public String at(int position) {
      BigDecimal value = from.add(step.multiply(BigDecimal.valueOf(position)));
      return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }
  }

  /** The values, as written. */
  record Listed(String name, List<String> values) implements Parameter {
    public Listed {
      values = List.copyOf(values);
    }
  }

  /** One value per row of a CSV file; the first line names the columns. */
  record Csv(String name, String file) implements Parameter {
    /** The parameter's name that leaves its columns without a prefix. */
    public static final String PLAIN = "_";

    /** The parameter that a column becomes. */
    public String column(String column) {
      return name.equals(PLAIN) ? column : name + "." + column;
    }
  }

  /** One value per file whose name matches a pattern: the name, with the content as input. */
  record Files(String name, String glob) implements Parameter {}
}

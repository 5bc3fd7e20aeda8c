package io.gleaner.policy;

import io.gleaner.wording.Durations;
import io.gleaner.wording.Sizes;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How one kind of value is written.
 *
 * @param expected what a reader is told when it is none, such as {@code a duration such as 15 min}
 * @param reading the value, or empty if the text is none
 * @param writing the value as text that {@code reading} takes
 */
record Form<T>(
    String expected, Function<String, Optional<T>> reading, Function<T, String> writing) {
  private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000);

  static Form<Boolean> truth() {
    return new Form<>(
        "true or false",
        text ->
            switch (text) {
              case "true" -> Optional.of(true);
              case "false" -> Optional.of(false);
              default -> Optional.empty();
            },
        Object::toString);
  }

  static Form<Duration> duration(Duration least, Duration most) {
    return new Form<>(
        "a duration such as 15 min or 30 s, "
            + Durations.text(least)
            + " to "
            + Durations.text(most),
        text ->
            Durations.parse(text)
                .filter(time -> time.compareTo(least) >= 0 && time.compareTo(most) <= 0),
        Durations::text);
  }

  static Form<BigDecimal> decimal(String what, String least, String most) {
    BigDecimal low = new BigDecimal(least);
    BigDecimal high = new BigDecimal(most);
    return new Form<>(
        what + ", " + least + " to " + most,
        text ->
            number(text).filter(value -> value.compareTo(low) >= 0 && value.compareTo(high) <= 0),
        value -> value.stripTrailingZeros().toPlainString());
  }

  static Form<Integer> count(String what, int least, int most) {
    return new Form<>(
        what + ", " + least + " to " + most,
        text ->
            number(text)
                .filter(value -> value.stripTrailingZeros().scale() <= 0)
                .map(BigDecimal::intValueExact)
                .filter(value -> value >= least && value <= most),
        Object::toString);
  }

  /** A share of a hundred, with or without the sign. */
  static Form<Integer> percent(String what) {
    Form<Integer> count = count(what, 0, 100);
    return new Form<>(
        what + ", 0 % to 100 %",
        text -> count.reading().apply(text.replaceFirst("\\s*%$", "")),
        value -> value + " %");
  }

  /** Bytes; a kilobyte has 1,024. */
  static Form<Long> size() {
    return new Form<>("a size such as 512 MB or 5 GB", Sizes::parse, Sizes::text);
  }

  /** Names of programs, with commas or spaces between; none is {@code none}. */
  static Form<List<String>> programs() {
    return new Form<>(
        "names of programs such as steam, blender",
        text -> {
          List<String> names = List.of(text.strip().split("[\\s,]+"));
          return names.equals(List.of("none"))
              ? Optional.of(List.of())
              : Optional.of(names)
                  .filter(all -> all.stream().allMatch(name -> name.matches("[!-~&&[^/]]{1,64}")));
        },
        names -> names.isEmpty() ? "none" : String.join(", ", names));
  }

  private static Optional<BigDecimal> number(String text) {
    try {
      BigDecimal value = new BigDecimal(text.strip());
      return Optional.of(value).filter(v -> v.abs().compareTo(MOST) <= 0 && v.scale() >= -9);
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }
}

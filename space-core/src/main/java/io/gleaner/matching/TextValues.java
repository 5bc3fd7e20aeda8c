package io.gleaner.matching;

import java.net.URI;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.BitSet;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Values of the JDK that are written as the name of their class and a text, which any language can
 * read: dates and times of day in ISO 8601 as {@code java.time} prints them, zones by their id, a
 * {@code Date} as its milliseconds, a {@code BitSet} as its bytes in base 64, lowest bit first.
 */
@SuppressWarnings("JavaUtilDate") // programs have such fields
final class TextValues {
  private static final Map<Class<?>, Kind<?>> KINDS =
      List.<Kind<?>>of(
              Kind.of(LocalDate.class, LocalDate::parse),
              Kind.of(LocalTime.class, LocalTime::parse),
              Kind.of(LocalDateTime.class, LocalDateTime::parse),
              Kind.of(OffsetTime.class, OffsetTime::parse),
              Kind.of(OffsetDateTime.class, OffsetDateTime::parse),
              Kind.of(ZonedDateTime.class, ZonedDateTime::parse),
              Kind.of(Period.class, Period::parse),
              new Kind<>(Year.class, Year::toString, text -> Year.of(Integer.parseInt(text))),
              Kind.of(YearMonth.class, YearMonth::parse),
              Kind.of(MonthDay.class, MonthDay::parse),
              new Kind<>(ZoneId.class, ZoneId::getId, ZoneId::of),
              new Kind<>(
                  Date.class,
                  date -> Long.toString(date.getTime()),
                  text -> new Date(Long.parseLong(text))),
              Kind.of(URI.class, URI::create),
              new Kind<>(Locale.class, Locale::toLanguageTag, Locale::forLanguageTag),
              new Kind<>(Currency.class, Currency::getCurrencyCode, Currency::getInstance),
              new Kind<>(
                  BitSet.class,
                  bits -> Base64.getEncoder().encodeToString(bits.toByteArray()),
                  text -> BitSet.valueOf(Base64.getDecoder().decode(text))))
          .stream()
          .collect(Collectors.toUnmodifiableMap(Kind::type, Function.identity()));

  private static final Map<String, Kind<?>> BY_NAME =
      KINDS.values().stream()
          .collect(Collectors.toUnmodifiableMap(Kind::name, Function.identity()));

  private TextValues() {}

  /** A class and both ways between its values and their texts. */
  private record Kind<T>(Class<T> type, Function<T, String> toText, Function<String, T> fromText) {
    static <T> Kind<T> of(Class<T> type, Function<String, T> fromText) {
      return new Kind<>(type, Object::toString, fromText);
    }

    String name() {
      return type.getName();
    }

    /** Empty if the text would not be the value again, such as that of an odd locale. */
    Optional<Text> write(Object value) {
      String text = toText.apply(type.cast(value));
      return fromText.apply(text).equals(value)
          ? Optional.of(new Text(name(), text))
          : Optional.empty();
    }
  }

  /** A value as it is written. */
  record Text(String name, String text) {}

  /** The text of the value; empty if it has none. */
  static Optional<Text> of(Object value) {
    Kind<?> kind = KINDS.get(value instanceof ZoneId ? ZoneId.class : value.getClass());
    try {
      return kind == null ? Optional.empty() : kind.write(value);
    } catch (RuntimeException e) {
      return Optional.empty(); // not even its own text is one
    }
  }

  /**
   * The value of a text.
   *
   * @throws RuntimeException if it is none
   */
  static Object read(String name, String text) {
    Kind<?> kind = BY_NAME.get(name);
    if (kind == null) {
      throw new MalformedValue(name + " has no values that are written as text");
    }
    return kind.fromText().apply(text);
  }
}

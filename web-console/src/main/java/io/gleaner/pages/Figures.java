package io.gleaner.pages;

import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Numbers as people read them; {@code console.js} writes the same ones the same way. Safe for all
 * threads.
 */
public final class Figures {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM HH:mm:ss 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final long TRACE_MICROS = 10_000;
  private static final int CHART_WIDTH = 240;
  private static final int CHART_HEIGHT = 48;

  private Figures() {}

  /** An amount of credits with two decimals: 1,250.50; a trace of money is not nothing. */
  public static String amount(long micros) {
    return micros > 0 && micros < TRACE_MICROS
        ? "< 0.01"
        : decimal("#,##0.00", BigDecimal.valueOf(micros, 6));
  }

  /** What one task costs, with four decimals. */
  public static String taskPrice(long micros) {
    return decimal("#,##0.0000", BigDecimal.valueOf(micros, 6));
  }

  /** Credits with two to six decimals, as prices have them: 0.000125. */
  public static String credits(long micros) {
    return decimal("#,##0.00####", BigDecimal.valueOf(micros, 6));
  }

  /** A price, or that nobody traded. */
  public static String price(Optional<Long> micros) {
    return micros.map(Figures::credits).orElse("no trade");
  }

  /** Units of work with two decimals. */
  public static String units(long microUnits) {
    return decimal("#,##0.00", BigDecimal.valueOf(microUnits, 6));
  }

  public static String count(long number) {
    return decimal("#,##0", BigDecimal.valueOf(number));
  }

  /** Bytes in the largest unit that keeps a digit before the point. */
  public static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    if (bytes < 1024 * 1024) {
      return decimal("#,##0.0", BigDecimal.valueOf(bytes / 1024.0)) + " KB";
    }
    return decimal("#,##0.0", BigDecimal.valueOf(bytes / (1024.0 * 1024))) + " MB";
  }

  /** A span in words: 40 s, 3 min, 2 h 5 min. */
  public static String seconds(long seconds) {
    if (seconds < 90) {
      return seconds + " s";
    }
    long minutes = Math.round(seconds / 60.0);
    return minutes < 90 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }

  public static String millis(long millis) {
    return millis < 1000
        ? millis + " ms"
        : decimal("#,##0.0", BigDecimal.valueOf(millis / 1000.0)) + " s";
  }

  public static String time(Instant instant) {
    return TIME.format(instant);
  }

  /** Points of a line through the prices, in a box of 240 by 48; rounds without one are gaps. */
  public static String line(List<Optional<Long>> prices) {
    long most = prices.stream().flatMap(Optional::stream).mapToLong(p -> p).max().orElse(0);
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < prices.size(); i++) {
      if (prices.get(i).isPresent() && most > 0) {
        double x = prices.size() == 1 ? 0 : (double) i * CHART_WIDTH / (prices.size() - 1);
        double y = CHART_HEIGHT - 2 - (CHART_HEIGHT - 4) * (prices.get(i).get() / (double) most);
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      }
    }
    return points.toString().strip();
  }

  private static String decimal(String pattern, BigDecimal number) {
    return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT)).format(number);
  }
}

package io.gleaner.maker;

import java.util.Locale;

/** By which rules a pool shares its slots (D9). */
public enum Economy {
  /** Users bid from their own credits in a call market. */
  MARKET,
  /** No prices: equal shares. */
  FAIR_SHARE;

  /** Its name in settings and on pages. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The economy with this name.
   *
   * @throws MakerException INVALID_SETTINGS if there is none
   */
  public static Economy of(String text) {
    for (Economy economy : values()) {
      if (economy.text().equals(text)) {
        return economy;
      }
    }
    throw new MakerException(
        MakerException.Code.INVALID_SETTINGS,
        "there is no economy '" + text + "'; choose market or fair-share");
  }
}

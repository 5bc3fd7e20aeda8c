package io.gleaner.identity;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.util.regex.Pattern;

/** The names that users, owners and launchers may have. */
public final class Names {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

  private Names() {}

  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * Refuses what is no name.
   *
   * @param what whose name, for the message
   */
  public static void require(String what, String name) {
    if (!isName(name)) {
      throw new SecurityRefusal(
          Code.INVALID,
          "the "
              + what
              + " has no acceptable name: expected a letter or digit, then up to 63 letters,"
              + " digits, dots, hyphens, underscores or @");
    }
  }
}

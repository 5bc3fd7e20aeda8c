package io.gleaner.audit;

/** Text of strangers as a line of a log, a database and a terminal take it. */
public final class PlainText {

  private PlainText() {}

  /**
   * One line, with a question mark for whatever is not a printable character: what would move a
   * terminal's cursor, begin another line, or turn the direction of what follows.
   */
  public static String of(String text) {
    return of(text, Integer.MAX_VALUE);
  }

  /** One line, cut to a length, with a question mark for whatever is not a printable character. */
  public static String of(String text, int most) {
    return plain(text, most, "");
  }

  /** The same, but lines and tabs stay. */
  public static String lines(String text, int most) {
    return plain(text, most, "\n\t");
  }

  private static String plain(String text, int most, String kept) {
    StringBuilder plain = new StringBuilder(Math.min(text.length(), most));
    for (int i = 0; i < text.length() && i < most; i++) {
      char each = text.charAt(i);
      plain.append(isPrintable(each) || kept.indexOf(each) >= 0 ? each : '?');
    }
    return plain.toString();
  }

  /** Not what turns the direction of writing, ends a line, or is half a character. */
  private static boolean isPrintable(char each) {
    return switch (Character.getType(each)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}

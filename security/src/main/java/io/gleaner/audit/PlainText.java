package io.gleaner.audit;

/** Text of others as one line of a log or a terminal takes it. */
public final class PlainText {

  private PlainText() {}

  /**
   * With a question mark for whatever is not a visible character or a space: what would move a
   * terminal's cursor, begin another line, or turn the direction of what follows.
   */
  public static String of(String text) {
    return of(text, Integer.MAX_VALUE);
  }

  /** As above, cut to a length. */
  static String of(String text, int most) {
    StringBuilder plain = new StringBuilder(Math.min(text.length(), most));
    for (int i = 0; i < text.length() && i < most; i++) {
      char each = text.charAt(i);
      plain.append(isPlain(each) ? each : '?');
    }
    return plain.toString();
  }

  private static boolean isPlain(char each) {
    return switch (Character.getType(each)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}

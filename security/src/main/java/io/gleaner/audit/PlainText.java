package io.gleaner.audit;

/** Text as a line of a log takes it. */
final class PlainText {

  private PlainText() {}

  /** Cut to a length, with a question mark for whatever is not a printable character. */
  static String of(String text, int most) {
    StringBuilder plain = new StringBuilder(Math.min(text.length(), most));
    for (int i = 0; i < text.length() && i < most; i++) {
      char each = text.charAt(i);
      boolean printable = !Character.isISOControl(each) && Character.isDefined(each);
      plain.append(printable && !Character.isSurrogate(each) ? each : '?');
    }
    return plain.toString();
  }
}

package io.gleaner.space.core;

/** The home of an entry's lease as text: its cell and the number of its bucket there. */
record EntryHome(int cell, int bucket) {

  /** The cell that the text names, or -1. */
  static int cellOf(String text) {
    return number(text, 0, text.indexOf('/'));
  }

  /** The bucket's number that the text names, or -1. */
  static int bucketOf(String text) {
    return number(text, text.indexOf('/') + 1, text.length());
  }

  private static int number(String text, int from, int to) {
    if (to <= from || to - from > 9) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  @Override
  public String toString() {
    return cell + "/" + bucket;
  }
}

package io.gleaner.space.history;

/**
 * An act between two moments: it took effect somewhere from {@code called} to {@code returned}.
 * Without an answer it may have taken effect at any later time or never.
 */
record Operation(String client, Act act, long called, long returned) {
  static final long NEVER = Long.MAX_VALUE;

  boolean isAnswered() {
    return returned != NEVER;
  }

  @Override
  public String toString() {
    String end = isAnswered() ? Long.toString(returned) : "never";
    return "[" + called + " .. " + end + "] " + client + " " + act;
  }
}

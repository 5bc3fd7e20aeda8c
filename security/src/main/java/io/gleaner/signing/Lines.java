package io.gleaner.signing;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads the lines of what is signed, each {@code name: value}, in their order: there is one way
 * only to write a thing, so a signature fixes all of it.
 */
public final class Lines {
  private final String what;
  private final List<String> lines;
  private int next;

  /**
   * Splits a text of printable ASCII, every line of which ends in a line feed.
   *
   * @param what it is, for messages
   */
  public Lines(String what, byte[] bytes, int mostBytes) {
    this.what = what;
    if (bytes.length > mostBytes) {
      throw refusal("it is longer than " + mostBytes + " bytes");
    }
    for (byte each : bytes) {
      if (each != '\n' && (each < ' ' || each > '~')) {
        throw refusal("it holds something else than printable ASCII");
      }
    }
    String text = new String(bytes, StandardCharsets.US_ASCII);
    if (!text.endsWith("\n")) {
      throw refusal("its last line does not end");
    }
    lines = List.of(text.substring(0, text.length() - 1).split("\n", -1));
  }

  /** The value of the next line, which has that name. */
  public String value(String name) {
    if (!hasNext(name)) {
      throw refusal("line " + (next + 1) + " should be '" + name + ": ...'");
    }
    return lines.get(next++).substring(name.length() + 2);
  }

  boolean hasNext(String name) {
    return next < lines.size() && lines.get(next).startsWith(name + ": ");
  }

  /** A number as it is written without sign or leading zeros. */
  public long number(String name) {
    return number(name, value(name));
  }

  long number(String name, String text) {
    if (!text.matches("0|[1-9][0-9]{0,17}")) {
      throw refusal(name + " is no number from 0 to 999999999999999999");
    }
    return Long.parseLong(text);
  }

  /** Refuses what comes after the last line. */
  public void requireEnd() {
    if (next < lines.size()) {
      throw refusal("line " + (next + 1) + " was not expected");
    }
  }

  SecurityRefusal refusal(String why) {
    return new SecurityRefusal(Code.SIGNATURE_REFUSED, what + " is refused: " + why);
  }
}

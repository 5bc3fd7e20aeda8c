package io.gleaner.secrets;

import java.io.Console;
import java.util.Optional;

/** Asks a person for a secret, on the terminal of this process and without showing it. */
public final class Prompt {

  private Prompt() {}

  /**
   * What was typed, without white space around it; empty where nobody can be asked or nothing was
   * typed.
   */
  // From Java 22 on the console is there without a terminal too, and then reads standard input: a
  // pipe is as good a place for a secret as a keyboard.
  @SuppressWarnings("SystemConsoleNull")
  public static Optional<Secret> ask(String what) {
    Console console = System.console();
    if (console == null) {
      return Optional.empty();
    }
    char[] typed = console.readPassword("%s: ", what);
    String text = typed == null ? "" : new String(typed).strip();
    return text.isEmpty() ? Optional.empty() : Optional.of(Secret.of(text));
  }
}

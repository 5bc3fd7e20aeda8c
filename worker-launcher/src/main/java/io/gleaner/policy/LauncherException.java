package io.gleaner.policy;

import java.util.List;

/** A launcher that cannot start or go on: a stable code, a sentence, and every problem found. */
public final class LauncherException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that clients may rely on. */
  public enum Code {
    /** The settings contradict themselves or are out of range. */
    INVALID_SETTINGS,
    /** The owner's policy file is not valid. */
    INVALID_POLICY,
    /** Another launcher uses the data folder, or it cannot be written. */
    DATA_FOLDER,
    /** No launcher runs in the data folder. */
    NOT_RUNNING,
    /** The market does not answer. */
    UNREACHABLE,
    /** The market does not know this launcher's token. */
    REFUSED
  }

  private final Code code;
  private final List<String> problems;

  public LauncherException(Code code, String message) {
    this(code, message, List.of());
  }

  public LauncherException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.problems = List.of();
  }

  /** With a numbered list of the problems after the message. */
  public LauncherException(Code code, String message, List<String> problems) {
    super(numbered(message, problems));
    this.code = code;
    this.problems = List.copyOf(problems);
  }

  public Code code() {
    return code;
  }

  public List<String> problems() {
    return problems;
  }

  private static String numbered(String message, List<String> problems) {
    StringBuilder text = new StringBuilder(message);
    for (int i = 0; i < problems.size(); i++) {
      text.append("\n  ").append(i + 1).append(". ").append(problems.get(i));
    }
    return text.toString();
  }
}

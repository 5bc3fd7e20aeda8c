package io.gleaner.cli;

import java.util.List;

/** Why a command ends without success: a sentence for people and an exit code for programs. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final ExitCode exitCode;
  private final List<String> problems;

  CommandFailure(ExitCode exitCode, String message) {
    this(exitCode, message, List.of());
  }

  CommandFailure(ExitCode exitCode, String message, List<String> problems) {
    super(message);
    this.exitCode = exitCode;
    this.problems = List.copyOf(problems);
  }

  ExitCode exitCode() {
    return exitCode;
  }

  List<String> problems() {
    return problems;
  }
}

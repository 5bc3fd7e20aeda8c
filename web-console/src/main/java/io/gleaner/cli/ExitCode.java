package io.gleaner.cli;

/** Exit codes of the {@code gleaner} command, as docs/commands.md lists them. */
enum ExitCode {
  OK(0),
  FAILED(1),
  USAGE(2),
  UNREACHABLE(3),
  NOT_FOUND(4),
  INTERRUPTED(130);

  final int value;

  ExitCode(int value) {
    this.value = value;
  }
}

package io.gleaner.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only has subcommands: without one it shows them. */
abstract class CommandGroup implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(System.out);
    return ExitCode.OK.value;
  }
}

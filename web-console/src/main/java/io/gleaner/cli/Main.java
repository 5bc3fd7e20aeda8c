package io.gleaner.cli;

import io.gleaner.api.GleanerException;
import io.gleaner.audit.PlainText;
import io.gleaner.puller.FileTrouble;
import io.gleaner.puller.WorkerCommand;
import io.gleaner.puller.WrongUsage;
import io.gleaner.secrets.SecurityRefusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code gleaner} command: its subcommands are the table of contents. */
@Command(
    name = "gleaner",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "A market for bags of tasks on idle desktops.",
    subcommands = {
      UpCommand.class,
      WorkerCommand.class,
      SubmitCommand.class,
      BagsCommand.class,
      ResultsCommand.class,
      CancelCommand.class,
      SignCommand.class,
      SignersCommand.class,
      StatusCommand.class,
      UsersCommand.class,
      TokensCommand.class,
      AuditCommand.class,
      InviteCommand.class,
      InvitationsCommand.class,
      MembersCommand.class,
      RevokeCommand.class,
      AuthorityCommand.class,
      BenchCommand.class,
      HelpCommand.class
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0    done",
      "  1    refused or failed",
      "  2    the command was written wrongly",
      "  3    no node answers",
      "  4    there is no such bag",
      "  130  interrupted",
      "",
      "Try it: gleaner up --demo"
    })
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec;

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs one command and returns its exit status. */
  static int run(String... args) {
    return commandLine().execute(args);
  }

  /** The command with its subcommands, as it answers what it cannot do. */
  static CommandLine commandLine() {
    return WrongUsage.saidBy(new CommandLine(new Main()))
        .setExecutionExceptionHandler(Main::explain);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(System.out);
    return ExitCode.OK.value;
  }

  private static ExitCode exitCodeOf(GleanerException refusal) {
    return switch (refusal.code()) {
      case UNREACHABLE -> ExitCode.UNREACHABLE;
      case NOT_FOUND -> ExitCode.NOT_FOUND;
      case INTERRUPTED -> ExitCode.INTERRUPTED;
      default -> ExitCode.FAILED;
    };
  }

  private static int explain(
      Exception thrown, CommandLine command, CommandLine.ParseResult parsed) {
    if (thrown instanceof CommandFailure failure) {
      command.getErr().println("gleaner: " + failure.getMessage());
      failure.problems().forEach(problem -> command.getErr().println("  " + problem));
      return failure.exitCode().value;
    }
    if (thrown instanceof GleanerException refusal) {
      // What a node says may quote what a device or another user wrote.
      command.getErr().println("gleaner: " + PlainText.of(refusal.getMessage()));
      refusal.problems().forEach(problem -> command.getErr().println("  " + PlainText.of(problem)));
      return exitCodeOf(refusal).value;
    }
    IOException file =
        thrown instanceof UncheckedIOException wrapped
            ? wrapped.getCause()
            : thrown instanceof IOException own ? own : null;
    if (file instanceof FileSystemException) {
      command.getErr().println("gleaner: " + FileTrouble.sentence(file));
      return (FileTrouble.isFileForFolder(file) ? ExitCode.USAGE : ExitCode.FAILED).value;
    }
    if (thrown instanceof SecurityRefusal) {
      command.getErr().println("gleaner: " + thrown.getMessage());
      return ExitCode.USAGE.value;
    }
    if (thrown.getClass().getName().startsWith("io.gleaner.")) {
      // Our own refusals are sentences.
      command.getErr().println("gleaner: " + thrown.getMessage());
      return ExitCode.FAILED.value;
    }
    command.getErr().println("gleaner: " + thrown);
    if (System.getenv("GLEANER_DEBUG") != null) {
      thrown.printStackTrace(command.getErr());
    } else {
      command.getErr().println("  set GLEANER_DEBUG=1 to see where it happened");
    }
    return ExitCode.FAILED.value;
  }
}

package io.gleaner.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** Everything about what cannot be changed without being seen. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Checks that ledger and security log are what was written, and shows the log.",
    subcommands = {
      AuditVerifyCommand.class,
      AuditLogCommand.class,
      AuditCheckpointCommand.class,
      HelpCommand.class
    })
final class AuditCommand extends CommandGroup {}

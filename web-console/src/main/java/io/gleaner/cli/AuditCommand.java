package io.gleaner.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** Everything about what cannot be changed without being seen. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description =
        "Checks that ledger and security log are what was written, shows the log, and says who"
            + " signed a result.",
    subcommands = {
      AuditVerifyCommand.class,
      AuditLogCommand.class,
      AuditCheckpointCommand.class,
      AuditResultCommand.class,
      HelpCommand.class
    })
final class AuditCommand extends CommandGroup {}

package io.gleaner.puller;

import io.gleaner.policy.OwnerPolicy;
import io.gleaner.policy.OwnerPolicy.InForce;
import io.gleaner.policy.PolicyFile;
import io.gleaner.policy.Rules;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gleaner worker policy}: what the owner's policy says. */
@Command(
    name = "policy",
    description = "Says what the owner's policy means.",
    synopsisSubcommandLabel = "check",
    mixinStandardHelpOptions = true)
final class PolicyCommand {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("EEEE yyyy-MM-dd HH:mm", Locale.ENGLISH);

  @Spec private CommandSpec spec;

  @Command(
      name = "check",
      description = {
        "Checks a policy file and shows the effective value of each setting,",
        "where it came from, and what it means."
      },
      mixinStandardHelpOptions = true)
  int check(
      @Parameters(
              paramLabel = "<file>",
              arity = "0..1",
              description = "The policy; without it, the built-in one.")
          Path file,
      @Option(
              names = "--at",
              paramLabel = "<time>",
              description = "What holds then, such as 2026-12-24T22:30; default: now.")
          LocalDateTime at,
      @Option(
              names = "--profile",
              paramLabel = "<name>",
              description = "What that profile says, whenever it holds.")
          String profile) {
    OwnerPolicy policy = file == null ? OwnerPolicy.conservative() : PolicyFile.read(file);
    LocalDateTime moment =
        at == null
            ? LocalDateTime.ofInstant(InstantSource.system().instant(), ZoneId.systemDefault())
            : at;
    InForce force = profile == null ? policy.at(moment) : policy.named(profile);
    StringBuilder text = new StringBuilder();
    text.append(
        profile == null
            ? "%s: profile '%s' (%s)%n"
                .formatted(MOMENT.format(moment), force.profile(), force.why())
            : "profile '%s'%n".formatted(profile));
    text.append("profiles: ").append(String.join(", ", policy.profiles().keySet())).append("\n\n");
    for (Rules.Line line : force.rules().lines()) {
      text.append(
          "%-19s %-10s %s%n    %s%n"
              .formatted(
                  line.setting().key(), line.value(), line.origin(), line.setting().meaning()));
    }
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
    return 0;
  }
}

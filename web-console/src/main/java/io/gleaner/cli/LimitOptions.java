package io.gleaner.cli;

import io.gleaner.blob.BlobSettings;
import io.gleaner.limits.Rates;
import io.gleaner.node.ClassLimits;
import io.gleaner.node.NodeLimits;
import io.gleaner.notice.WebhookHosts;
import io.gleaner.wording.Durations;
import io.gleaner.wording.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** What can be said of a node's limits on the command line. */
final class LimitOptions {
  @Option(
      names = "--blob-limit",
      paramLabel = "SIZE",
      description = "the longest file or result (default: 1 GB)")
  private String blobLimit;

  @Option(
      names = "--blob-quota",
      paramLabel = "SIZE",
      description = "all files and results of one user (default: 64 GB)")
  private String blobQuota;

  @Option(
      names = "--blob-sweep",
      paramLabel = "TIME",
      description = "how often files that nobody uses are looked for (default: 10m)")
  private String blobSweep;

  @Option(
      names = "--registration-lease",
      paramLabel = "TIME",
      description = "the longest lease of a registration for events (default: no end)")
  private String registrationLease;

  @Option(
      names = "--transaction-lease",
      paramLabel = "TIME",
      description = "the longest lease of a transaction (default: 1h)")
  private String transactionLease;

  @Option(
      names = "--session-lease",
      paramLabel = "TIME",
      description = "how long a client that is not heard of keeps its session (default: 1m)")
  private String sessionLease;

  @Option(
      names = "--class-limit",
      paramLabel = "N",
      description = "entry classes in all spaces of one user (default: 2000)")
  private Integer classLimit;

  @Option(
      names = "--space-limit",
      paramLabel = "N",
      description = "named spaces of one user (default: 1000)")
  private Integer spaceLimit;

  @Option(
      names = "--class-memory",
      paramLabel = "SIZE",
      description = "what the space keeps of the entry classes of one user (default: 64 MB)")
  private String classMemory;

  @Option(
      names = "--webhook-hosts",
      paramLabel = "HOST",
      split = ",",
      description = {
        "hosts, separated by commas, that webhooks of bags may reach though their addresses are not",
        "public (default: none)"
      })
  private List<String> webhookHosts = List.of();

  @Option(
      names = "--application-rate",
      paramLabel = "N",
      description = "operations a second of one program that uses the space (default: 100000)")
  private Integer applicationRate;

  /** The limits that were said, and the standard of what was not. */
  NodeLimits limits() {
    NodeLimits standard = NodeLimits.standard();
    try {
      return new NodeLimits(
          new BlobSettings(
              size("--blob-limit", blobLimit, standard.blobs().limitBytes()),
              size("--blob-quota", blobQuota, standard.blobs().quotaBytes()),
              standard.blobs().pin()),
          time("--blob-sweep", blobSweep, standard.blobSweep()),
          time("--registration-lease", registrationLease, standard.registrationLease()),
          time("--transaction-lease", transactionLease, standard.transactionLease()),
          time("--session-lease", sessionLease, standard.sessionLease()),
          new ClassLimits(
              Objects.requireNonNullElse(classLimit, standard.classes().classes()),
              Objects.requireNonNullElse(spaceLimit, standard.classes().spaces()),
              size("--class-memory", classMemory, standard.classes().bytes())),
          new WebhookHosts(Set.copyOf(webhookHosts)),
          rates(standard.rates()));
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, e.getMessage());
    }
  }

  private Rates rates(Rates standard) {
    if (applicationRate == null) {
      return standard;
    }
    try {
      return standard.withApplication(applicationRate);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, "--application-rate: " + e.getMessage());
    }
  }

  private static long size(String option, String said, long standard) {
    return Optional.ofNullable(said)
        .map(
            text ->
                Sizes.parse(text)
                    .orElseThrow(() -> wrong(option, text, "a size such as 256 MB or 64 GB")))
        .orElse(standard);
  }

  private static Duration time(String option, String said, Duration standard) {
    return Optional.ofNullable(said)
        .map(
            text ->
                Durations.parse(text)
                    .orElseThrow(() -> wrong(option, text, "a time such as 30s, 10m or 2h")))
        .orElse(standard);
  }

  private static CommandFailure wrong(String option, String said, String expected) {
    return new CommandFailure(ExitCode.USAGE, option + " is '" + said + "', expected " + expected);
  }
}

package io.gleaner.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.limits.Pace;
import io.gleaner.node.ClassLimits;
import io.gleaner.node.NodeLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What is said of a node's limits on the command line. */
class LimitOptionsTest {
  @Command
  static final class Up {
    @Mixin private LimitOptions limits;
  }

  private static NodeLimits limits(String... arguments) {
    Up up = new Up();
    new CommandLine(up).parseArgs(arguments);
    return up.limits.limits();
  }

  @Test
  void whatIsNotSaidIsStandard() {
    assertThat(limits()).isEqualTo(NodeLimits.standard());
  }

  @Test
  void whatIsSaidCounts() {
    NodeLimits said =
        limits(
            "--blob-limit=2MB",
            "--blob-quota=3 GB",
            "--blob-sweep=30s",
            "--registration-lease=2h",
            "--transaction-lease=90s",
            "--session-lease=5s",
            "--class-limit=7",
            "--space-limit=3",
            "--class-memory=1MB",
            "--application-rate=500");
    assertThat(said.blobs().limitBytes()).isEqualTo(2L << 20);
    assertThat(said.blobs().quotaBytes()).isEqualTo(3L << 30);
    assertThat(said.blobSweep()).isEqualTo(Duration.ofSeconds(30));
    assertThat(said.registrationLease()).isEqualTo(Duration.ofHours(2));
    assertThat(said.transactionLease()).isEqualTo(Duration.ofSeconds(90));
    assertThat(said.sessionLease()).isEqualTo(Duration.ofSeconds(5));
    assertThat(said.classes()).isEqualTo(new ClassLimits(7, 3, 1 << 20));
    assertThat(said.rates().application()).isEqualTo(new Pace(1_000, 500));
    assertThat(said.rates().device()).isEqualTo(NodeLimits.standard().rates().device());
  }

  @Test
  void whatMakesNoSenseIsNamed() {
    refused("--blob-quota is 'much'", "--blob-quota=much");
    refused("--session-lease is 'long'", "--session-lease=long");
    refused("no less for all than for one", "--blob-quota=1MB", "--blob-limit=2MB");
    refused("expected at least 1", "--blob-quota=0B");
    refused("the lease of a session is 1 s, expected 5 s", "--session-lease=1s");
    refused("the longest lease of a transaction", "--transaction-lease=59s");
    refused("the longest lease of a registration", "--registration-lease=59s");
    refused("at least one class, one space", "--class-limit=0");
    refused(
        "--application-rate: a rate is 0 a second, expected 1 to 1000000", "--application-rate=0");
    refused("the time between sweeps of blobs", "--blob-sweep=0s");
  }

  private static void refused(String why, String... arguments) {
    assertThatThrownBy(() -> limits(arguments))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(why);
  }
}

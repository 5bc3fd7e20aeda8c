package io.gleaner.puller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.gateway.GatewayException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(30)
class WorkerCommandTest {
  @TempDir Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private GatewayException.Code answer = GatewayException.Code.UNREACHABLE;

  private int worker(String... arguments) {
    CommandLine command =
        WorkerCommand.commandLine(
            (addresses, by) -> {
              throw new GatewayException(answer, "the market at " + addresses.get(0) + " said no");
            });
    return command
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private String tokenFile() throws IOException {
    Path file = temp.resolve("token");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, "abc").toString();
  }

  @Test
  void helpNamesOptionsAndExitCodes() {
    assertThat(worker("--help")).isZero();
    assertThat(out.toString())
        .contains("--join=<host:port>", "--dedicated", "status", "pause", "resume")
        .contains("the market refuses the join token");
  }

  @Test
  void withoutAMarketItAsksWhich() {
    assertThat(worker()).isEqualTo(WorkerCommand.INVALID);
    assertThat(err.toString()).contains("Which market? Name it with --join <host:port>");
  }

  @Test
  void anUnreachableMarketAndARefusedTokenAreToldApart() throws IOException {
    String[] arguments = {
      "--join", "127.0.0.1:4701", "--token-file", tokenFile(), "--data", temp.toString()
    };
    assertThat(worker(arguments)).isEqualTo(WorkerCommand.UNREACHABLE);
    assertThat(err.toString()).contains("the market at 127.0.0.1:4701 said no");
    answer = GatewayException.Code.TOKEN_REFUSED;
    assertThat(worker(arguments)).isEqualTo(WorkerCommand.REFUSED);
  }

  @Test
  void settingsThatMakeNoSenseAreListed() throws IOException {
    assertThat(
            worker(
                "--join",
                "127.0.0.1:4701",
                "--token-file",
                tokenFile(),
                "--slots",
                "0",
                "--site",
                "a b"))
        .isEqualTo(WorkerCommand.INVALID);
    assertThat(err.toString())
        .contains("1. the site is 'a b'")
        .contains("2. slots is 0, expected 1 to 1024");
  }

  @Test
  void theStatusOfNobodyIsASentence() {
    assertThat(worker("status", "--data", temp.toString())).isEqualTo(WorkerCommand.UNREACHABLE);
    assertThat(err.toString()).contains("no launcher runs in " + temp);
  }
}

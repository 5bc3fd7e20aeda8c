package io.gleaner.gateway;

import io.gleaner.secrets.Secret;
import io.gleaner.space.Note;
import io.gleaner.space.TestJvm;
import io.gleaner.space.TupleSpace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A client in a process of its own that takes one {@link Note}, however long that takes, and says
 * its number. The program's argument is the port of the gateway; a join token comes in the first
 * line of its input.
 */
public final class SleepyClient implements AutoCloseable {
  private final Process process;
  private final BufferedReader said;

  private SleepyClient(Process process) {
    this.process = process;
    this.said = process.inputReader(StandardCharsets.UTF_8);
  }

  public static void main(String[] arguments) throws Exception {
    Secret token =
        Secret.of(
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .readLine());
    GatewayAddress address = new GatewayAddress("127.0.0.1", Integer.parseInt(arguments[0]));
    try (GatewayConnection connection = GatewayConnection.connect(address, token, "sleepy");
        TupleSpace space = connection.space("notes")) {
      Note note = (Note) space.take(new Note(), null, Long.MAX_VALUE);
      System.out.println("took " + note.number);
    }
  }

  static SleepyClient start(TestGateway gateway) throws IOException {
    Process process =
        new ProcessBuilder(
                TestJvm.command(
                    SleepyClient.class, List.of(Integer.toString(gateway.server.port()))))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process
        .getOutputStream()
        .write((gateway.token.reveal() + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return new SleepyClient(process);
  }

  /** Stands still, all threads of it, when this returns. */
  void sleeps() throws IOException, InterruptedException {
    signal("-STOP");
    Awaitility.await().until(this::standsStill);
  }

  void wakes() throws IOException, InterruptedException {
    signal("-CONT");
  }

  /** What it says next; waits for it. */
  String says() throws IOException {
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith("took ")) {
        return line;
      }
    }
    return "nothing";
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", name, Long.toString(process.pid())).start().waitFor();
  }

  private boolean standsStill() throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

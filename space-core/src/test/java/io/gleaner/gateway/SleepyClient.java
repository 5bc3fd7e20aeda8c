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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A client in a process of its own that can be made to stand still. The program's argument is the
 * port of the gateway; a join token comes in the first line of its input. This program takes one
 * {@link Note}, however long that takes, and says its number.
 */
public final class SleepyClient implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private SleepyClient(Process process) {
    this.process = process;
    Thread listening =
        new Thread(
            () -> process.inputReader(StandardCharsets.UTF_8).lines().forEach(said::add),
            "sleepy-client");
    listening.setDaemon(true);
    listening.start();
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (GatewayConnection connection = connect(arguments, input);
        TupleSpace space = connection.space("notes")) {
      Note note = (Note) space.take(new Note(), null, Long.MAX_VALUE);
      System.out.println("took " + note.number);
    }
  }

  static GatewayConnection connect(String[] arguments, BufferedReader input) throws IOException {
    return GatewayConnection.connect(
        new GatewayAddress("127.0.0.1", Integer.parseInt(arguments[0])),
        Secret.of(input.readLine()),
        "sleepy");
  }

  static SleepyClient start(TestGateway gateway) throws IOException {
    return start(gateway, SleepyClient.class);
  }

  static SleepyClient start(TestGateway gateway, Class<?> program) throws IOException {
    Process process =
        new ProcessBuilder(
                TestJvm.command(program, List.of(Integer.toString(gateway.server.port()))))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    SleepyClient client = new SleepyClient(process);
    client.isTold(gateway.token.reveal());
    return client;
  }

  void isTold(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Stands still, all threads of it, when this returns. */
  void sleeps() throws IOException, InterruptedException {
    signal("-STOP");
    Awaitility.await().until(this::standsStill);
  }

  void wakes() throws IOException, InterruptedException {
    signal("-CONT");
  }

  /** What it says it took; waits for it. */
  String says() throws InterruptedException {
    return says("took ");
  }

  /** Its next line that begins so; waits for it. */
  String says(String beginning) throws InterruptedException {
    String line = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    while (line != null && !line.startsWith(beginning)) {
      line = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
    return line == null ? "nothing" : line;
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

package io.gleaner.space;

import io.gleaner.secrets.Secret;
import io.gleaner.space.core.Limits;
import io.gleaner.storage.ServerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A member of a durable space in a process of its own, with clients, to be killed. The program's
 * arguments are the database, what the clients do and the addresses to join; the secret comes in
 * the first line of its input.
 */
final class KilledMember implements AutoCloseable {
  /** Clients that look for tokens and move them ({@link TokensProgram}). */
  static final String MAKES_TOKENS = "makes-tokens";

  static final String FINDS_TOKENS = "finds-tokens";
  static final String MOVES_TOKENS = "moves-tokens";

  private final Process process;
  private final CompletableFuture<String> address = new CompletableFuture<>();

  private KilledMember(Process process) {
    this.process = process;
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Secret secret = Secret.of(in.readLine());
    List<String> join = List.of(arguments).subList(2, arguments.length);
    HazelcastSpace space = start(arguments[0], secret, join);
    System.out.println("member " + space.member().address());
    switch (arguments[1]) {
      case MAKES_TOKENS -> TokensProgram.run(space, true);
      case FINDS_TOKENS -> TokensProgram.run(space, false);
      case MOVES_TOKENS -> TokensProgram.help(space);
      default -> KilledProgram.run(space, Integer.parseInt(arguments[1]));
    }
  }

  /** A member in this process. */
  static HazelcastSpace start(String database, Secret secret, List<String> join) {
    MemberSettings founding =
        MemberSettings.founding(MemberProcess.CLUSTER, secret).withPatience(Duration.ofMinutes(2));
    return HazelcastSpace.startDurable(
        new SpaceSettings(
            join.isEmpty() ? founding : founding.joining(join),
            KilledProgram.CELLS,
            2,
            Limits.DEFAULT),
        ServerSettings.of(database, "gleaner", Optional.empty()));
  }

  /** A member in a process of its own, whose clients say to those what they do. */
  static KilledMember run(
      String database, Secret secret, int first, List<String> join, KilledClients clients)
      throws IOException {
    return run(
        database,
        secret,
        Integer.toString(first),
        join,
        line -> {
          try {
            if (!clients.hear(line)) {
              System.out.println(line);
            }
          } catch (AssertionError e) {
            clients.failed(e);
          }
        });
  }

  /** A member in a process of its own; the lines that it says go to the listener. */
  static KilledMember run(
      String database, Secret secret, String task, List<String> join, Consumer<String> hears)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> option.startsWith("--add-") || option.contains("ForkJoinPool"))
            .toList());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            KilledMember.class.getName(),
            database,
            task));
    command.addAll(join);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().write((secret.reveal() + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    KilledMember member = new KilledMember(process);
    new Thread(() -> member.listen(hears)).start();
    return member;
  }

  private void listen(Consumer<String> hears) {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith("member ")) {
          address.complete(line.substring("member ".length()));
        } else {
          hears.accept(line);
        }
      }
    } catch (IOException e) {
      address.completeExceptionally(e); // it was killed
    }
  }

  String address() throws Exception {
    return address.get(120, TimeUnit.SECONDS);
  }

  boolean endsWithin(long millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** Its process gets that signal. */
  void signals(String signal) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new IOException("the process did not get the signal " + signal);
    }
  }

  /** As {@code kill -9}; all of them are gone when this returns. */
  static void kill(KilledMember... members) throws Exception {
    for (KilledMember member : members) {
      member.process.destroyForcibly();
    }
    for (KilledMember member : members) {
      member.process.waitFor();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

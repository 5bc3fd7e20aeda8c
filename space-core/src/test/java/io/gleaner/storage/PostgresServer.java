package io.gleaner.storage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL server of a test's own, from the system's package {@code postgresql}, with an empty
 * database; gone with its folder when closed. It does not run as root, so as root it runs as {@code
 * nobody}.
 */
public final class PostgresServer implements AutoCloseable {
  private static final long SECONDS = 60;

  private final Path programs;
  private final Path folder;
  private final int port;
  private final List<String> settings;
  private final List<String> frozen = new ArrayList<>();

  private PostgresServer(Path programs, Path folder, int port, List<String> settings) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
    this.settings = settings;
  }

  /**
   * Starts one; the test is skipped where the package is missing, unless {@code CI=true}.
   *
   * @param settings of the server, as {@code name=value}
   */
  public static PostgresServer start(String... settings) throws IOException {
    Optional<Path> programs = programs();
    if (!"true".equals(System.getenv("CI"))) {
      Assumptions.assumeTrue(
          programs.isPresent(), "PostgreSQL is not installed; Debian's package is 'postgresql'");
    }
    // Not the test's own folder: another user must get there.
    Path folder = Files.createTempDirectory("gleaner-postgres");
    PostgresServer server =
        new PostgresServer(
            programs.orElseThrow(() -> new IOException("install the package 'postgresql'")),
            folder,
            freePort(),
            List.of(settings));
    try {
      if (isRoot()) {
        run(List.of("chown", "nobody", folder.toString()));
      }
      server.program("initdb", "-D", server.data(), "-U", "gleaner", "-A", "trust", "-E", "UTF8");
      server.startAgain();
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** For tests of other modules: says its URL, and ends with its input. */
  public static void main(String[] settings) throws IOException {
    try (PostgresServer server = start(settings)) {
      System.out.println(server.url());
      while (System.in.read() != -1) {
        // until whoever started it closes its input
      }
    }
  }

  /** Starts it again after {@link #kill}. */
  public void startAgain() throws IOException {
    StringBuilder options = new StringBuilder();
    options.append("-c listen_addresses=127.0.0.1 -c port=").append(port);
    options.append(" -c unix_socket_directories='' -c max_connections=40");
    for (String setting : settings) {
      options.append(" -c ").append(setting);
    }
    program(
        "pg_ctl",
        "-D",
        data(),
        "-w",
        "-t",
        Long.toString(SECONDS),
        "-l",
        folder.resolve("log").toString(),
        "-o",
        options.toString(),
        "start");
  }

  /** Stops it without any tidying up, as a power cut of the program would. */
  public void kill() throws IOException {
    program("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
  }

  /** The sessions that there are stand still, as if their machine were away; new ones do not. */
  public void freezesSessions() throws IOException, SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <>"
                    + " pg_backend_pid()")) {
      while (rows.next()) {
        frozen.add(rows.getString(1));
      }
    }
    for (String session : frozen) {
      run(List.of("kill", "-STOP", session));
    }
  }

  /** They end. */
  public void endsFrozenSessions() throws IOException {
    for (String session : frozen) {
      run(List.of("kill", "-TERM", session));
      run(List.of("kill", "-CONT", session));
    }
    frozen.clear();
  }

  /** From now on it lets nobody in without a password. */
  void asksForPasswords() throws IOException {
    kill();
    Files.writeString(Path.of(data(), "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
    startAgain();
  }

  /** For JDBC, with everything in it. */
  public String url() {
    return url("postgres");
  }

  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=gleaner";
  }

  @Override
  public void close() {
    try {
      endsFrozenSessions();
      if (Files.exists(folder.resolve("data").resolve("postmaster.pid"))) {
        kill();
      }
      try (Stream<Path> left = Files.walk(folder)) {
        for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  private void program(String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
    }
    command.add(programs.resolve(name).toString());
    command.addAll(Arrays.asList(arguments));
    run(command);
  }

  private static void run(List<String> command) throws IOException {
    Path output = Files.createTempFile("gleaner-postgres", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(command + " failed: " + Files.readString(output));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      Files.delete(output);
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static Optional<Path> programs() throws IOException {
    Path all = Path.of("/usr/lib/postgresql");
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(all)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

package io.gleaner.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gleaner.policy.LauncherException;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.wording.Durations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The launcher's own page on loopback: {@code GET /status} as JSON, {@code GET /} as text; and with
 * the token the owner's word: {@code POST /pause}, {@code /resume}, {@code /snooze?for=1h}, {@code
 * /finish-then-pause}, {@code /run-now?for=1h} and {@code /profile?name=night}, without a name for
 * what the week says.
 *
 * <p>Its port lies in {@code status.port} and its token in {@code status.token} of the data folder;
 * only the owner can read the token. Requests under another host name than loopback are refused, so
 * that no web page can reach it by a name of its own.
 */
public final class StatusServer implements AutoCloseable {
  static final String PORT_FILE = "status.port";
  static final String TOKEN_FILE = "status.token";
  static final int WRONG = 400;
  static final String TOKEN_HEADER = "X-Gleaner-Token";

  private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final int TOKEN_BYTES = 24;

  private final HttpServer server;
  private final ExecutorService thread;
  private final Path folder;
  private final byte[] token;

  private StatusServer(HttpServer server, Path folder, String token) {
    this.server = server;
    this.folder = folder;
    this.token = token.getBytes(StandardCharsets.US_ASCII);
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread worker = new Thread(task, "status");
              worker.setDaemon(true);
              return worker;
            });
  }

  /**
   * Opens the page on a free port.
   *
   * @param folder the launcher's data folder
   */
  public static StatusServer start(Path folder, Supplier<LauncherStatus> status, OwnersWord word)
      throws IOException {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    String token = HexFormat.of().formatHex(random);
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    StatusServer server = new StatusServer(http, folder, token);
    http.setExecutor(server.thread);
    http.createContext(
        "/status", exchange -> server.show(exchange, "application/json", status.get().json()));
    http.createContext("/", exchange -> server.show(exchange, TEXT, status.get().text()));
    Map<String, Consumer<Optional<String>>> commands =
        Map.of(
            "pause", nothing -> word.pause(),
            "resume", nothing -> word.resume(),
            "snooze", time -> word.snooze(duration(time)),
            "finish-then-pause", nothing -> word.finishThenPause(),
            "run-now", time -> word.runNow(duration(time)),
            "profile", word::profile);
    commands.forEach(
        (name, command) ->
            http.createContext("/" + name, exchange -> server.command(exchange, command, status)));
    SecretFile.write(folder.resolve(TOKEN_FILE), Secret.of(token));
    Files.writeString(folder.resolve(PORT_FILE), http.getAddress().getPort() + "\n");
    http.start();
    return server;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    thread.shutdownNow();
    try {
      Files.deleteIfExists(folder.resolve(PORT_FILE));
      Files.deleteIfExists(folder.resolve(TOKEN_FILE));
    } catch (IOException e) {
      LOG.warn("the files of the status page were not removed: {}", e.toString());
    }
  }

  private void show(HttpExchange exchange, String type, String body) throws IOException {
    if (foreign(exchange)) {
      answer(exchange, 403, TEXT, "ask for 127.0.0.1\n");
    } else if (!exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 405, TEXT, "only GET\n");
    } else {
      answer(exchange, 200, type, body);
    }
  }

  private void command(
      HttpExchange exchange, Consumer<Optional<String>> command, Supplier<LauncherStatus> status)
      throws IOException {
    String given = exchange.getRequestHeaders().getFirst(TOKEN_HEADER);
    boolean known =
        given != null && MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8));
    if (foreign(exchange) || !known) {
      answer(exchange, 403, TEXT, "the token of the file " + TOKEN_FILE + " is needed\n");
    } else if (!exchange.getRequestMethod().equals("POST")) {
      answer(exchange, 405, TEXT, "only POST\n");
    } else {
      try {
        String query = exchange.getRequestURI().getQuery();
        command.accept(
            Optional.ofNullable(query).map(text -> text.substring(text.indexOf('=') + 1)));
        answer(exchange, 200, TEXT, status.get().text());
      } catch (LauncherException | UncheckedIOException e) {
        answer(exchange, WRONG, TEXT, e.getMessage() + "\n");
      }
    }
  }

  private static Duration duration(Optional<String> text) {
    return text.flatMap(Durations::parse)
        .filter(time -> !time.isNegative() && !time.isZero() && time.compareTo(LONGEST) <= 0)
        .orElseThrow(
            () ->
                new LauncherException(
                    LauncherException.Code.INVALID_SETTINGS,
                    "the time is '%s', expected such as 30 min or 1h, at most 30 days"
                        .formatted(text.orElse(""))));
  }

  private static boolean foreign(HttpExchange exchange) {
    String host = exchange.getRequestHeaders().getFirst("Host");
    return host == null || !host.matches("(127\\.0\\.0\\.1|localhost|\\[::1\\])(:\\d+)?");
  }

  private static void answer(HttpExchange exchange, int code, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    try (exchange) {
      exchange.sendResponseHeaders(code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}

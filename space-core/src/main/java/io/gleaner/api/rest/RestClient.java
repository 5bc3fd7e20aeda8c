package io.gleaner.api.rest;

import io.gleaner.api.GleanerException;
import io.gleaner.api.GleanerException.Code;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.Digests;
import io.gleaner.tls.LoopbackOnly;
import io.gleaner.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The REST interface of a node: requests that are tried again when the connection breaks, and
 * refusals as {@link GleanerException}. Every request is safe to repeat: uploads are named by their
 * digest, submissions by their key. Safe for all threads; calls wait.
 */
public final class RestClient {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Duration TRANSFER = Duration.ofMinutes(10);

  private final HttpClient http;
  private final URI console;
  private final Secret token;
  private final Patience patience;
  private final ConsoleTrust trust;
  private volatile boolean reached;

  /** As below, where an https console is believed as the Java platform does. */
  public RestClient(URI console, Secret token, Patience patience) {
    this(console, token, patience, ConsoleTrust.ofPlatform());
  }

  /**
   * Nothing is asked yet.
   *
   * @param trust whom an https console has to be of
   * @throws GleanerException INVALID if it is no address of a console, or one beyond this machine
   *     in clear text
   */
  public RestClient(URI console, Secret token, Patience patience, ConsoleTrust trust) {
    boolean tls = "https".equals(console.getScheme());
    if ((!tls && !"http".equals(console.getScheme())) || console.getHost() == null) {
      throw new GleanerException(
          Code.INVALID,
          "'" + console + "' is no address of a console; write http://host:port or https://...");
    }
    if (!tls) {
      requireLoopback(console);
    }
    this.console = console;
    this.token = token;
    this.patience = patience;
    this.trust = trust;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(patience.connect());
    trust.context().ifPresent(builder::sslContext);
    this.http = builder.sslParameters(Tls.client()).build();
  }

  private static void requireLoopback(URI console) {
    try {
      InetAddress unused = LoopbackOnly.check(console.getHost());
    } catch (SecurityRefusal e) {
      throw new GleanerException(
          Code.INVALID,
          console
              + " is beyond this machine, and http would show the API token to the network; write"
              + " https:// (a node speaks it on every address but loopback)",
          e);
    }
  }

  public URI console() {
    return console;
  }

  HttpClient http() {
    return http;
  }

  /** A request with the token, to which a method has to be added. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(console.resolve(path))
        .header("Authorization", "Bearer " + token.reveal());
  }

  /** The path of a bag, whatever its id looks like. */
  public static String bagPath(String id) {
    return "/api/v1/bags/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  public JsonNode get(String path) {
    return json(send("GET", path, BodyPublishers.noBody(), Map.of()));
  }

  public JsonNode post(String path, Object body, Map<String, String> headers) {
    return json(
        send("POST", path, BodyPublishers.ofString(JSON.writeValueAsString(body)), headers));
  }

  /** Submits a bag; the same key and content give the same bag again. */
  public JsonNode submit(String description, Map<String, String> digests, String key) {
    return post(
        "/api/v1/bags",
        Map.of("description", description, "files", digests),
        Map.of("Idempotency-Key", key));
  }

  /** Uploads the file unless the node has it, and returns its digest. */
  public String upload(Path file) {
    try {
      return upload(Digests.sha256Hex(file), BodyPublishers.ofFile(file));
    } catch (IOException e) {
      throw new GleanerException(Code.FILE, "cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Uploads the bytes and returns their digest. */
  public String upload(byte[] bytes) {
    return upload(Digests.sha256Hex(bytes), BodyPublishers.ofByteArray(bytes));
  }

  private String upload(String digest, BodyPublisher body) {
    close(send("PUT", "/api/v1/blobs/" + digest, body, Map.of()));
    return digest;
  }

  /** Downloads into the file, which appears only when it is whole. */
  public void download(String path, Path file) {
    Path draft = file.resolveSibling(file.getFileName() + ".part");
    HttpResponse<InputStream> response = send("GET", path, BodyPublishers.noBody(), Map.of());
    try (InputStream body = response.body()) {
      Files.copy(body, draft, StandardCopyOption.REPLACE_EXISTING);
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new GleanerException(Code.FILE, "cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Downloads bytes into memory.
   *
   * @throws GleanerException DAMAGED if they are not those of the digest
   */
  public byte[] download(String path, String digest) {
    byte[] bytes = new byte[0];
    for (int tries = 0; tries < 2; tries++) {
      try (InputStream body = send("GET", path, BodyPublishers.noBody(), Map.of()).body()) {
        bytes = body.readAllBytes();
      } catch (IOException e) {
        throw new GleanerException(
            Code.UNREACHABLE, "the download of " + path + " broke: " + e.getMessage(), e);
      }
      if (Digests.sha256Hex(bytes).equals(digest)) {
        return bytes;
      }
    }
    throw new GleanerException(
        Code.DAMAGED, path + " has " + bytes.length + " bytes that are not those of its digest");
  }

  private HttpResponse<InputStream> send(
      String method, String path, BodyPublisher body, Map<String, String> headers) {
    boolean transfer = method.equals("PUT");
    HttpRequest.Builder request =
        request(path)
            .timeout(transfer ? TRANSFER : patience.answer())
            .header("Accept", "application/json")
            .header("Content-Type", transfer ? "application/octet-stream" : "application/json")
            .method(method, body);
    headers.forEach(request::header);
    long deadlineNanos = System.nanoTime() + patience.giveUp().toNanos();
    for (int tries = 0; ; tries++) {
      GleanerException failure;
      try {
        HttpResponse<InputStream> response =
            http.send(request.build(), BodyHandlers.ofInputStream());
        reached = true;
        if (response.statusCode() < 400) {
          return response;
        }
        failure = Refusals.of(response);
        if (!Refusals.isPassing(response.statusCode())) {
          throw failure;
        }
      } catch (IOException e) {
        failure = broken(e);
        boolean absent = e instanceof ConnectException && !reached;
        if (absent || failure.code() == Code.NOT_TRUSTED) {
          throw failure;
        }
      } catch (InterruptedException e) {
        throw interrupted();
      }
      if (System.nanoTime() >= deadlineNanos) {
        throw failure;
      }
      pause(Patience.pauseMillis(tries));
    }
  }

  private GleanerException broken(IOException e) {
    if (e instanceof ConnectException) {
      return new GleanerException(
          Code.UNREACHABLE, "no node answers at " + console + "; is 'gleaner up' running?", e);
    }
    if (e instanceof HttpTimeoutException) {
      return new GleanerException(Code.UNREACHABLE, console + " did not answer in time", e);
    }
    if (e instanceof SSLHandshakeException) {
      return new GleanerException(Code.NOT_TRUSTED, trust.refusal(console, e), e);
    }
    return new GleanerException(
        Code.UNREACHABLE, "the connection to " + console + " broke: " + e.getMessage(), e);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static GleanerException interrupted() {
    Thread.currentThread().interrupt();
    return new GleanerException(Code.INTERRUPTED, "interrupted while waiting for the market");
  }

  private static void close(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      body.readAllBytes();
    } catch (IOException e) {
      throw new GleanerException(
          Code.UNREACHABLE, "the node's answer broke off: " + e.getMessage(), e);
    }
  }

  private static JsonNode json(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      return JSON.readTree(body);
    } catch (IOException | JacksonException e) {
      throw new GleanerException(
          Code.DAMAGED, "the node's answer is not JSON: " + e.getMessage(), e);
    }
  }
}

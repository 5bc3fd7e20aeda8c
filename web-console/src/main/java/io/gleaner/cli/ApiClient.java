package io.gleaner.cli;

import io.gleaner.secrets.Secret;
import io.gleaner.signing.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The REST interface of a node as commands use it. Every refusal becomes a {@link CommandFailure}.
 */
final class ApiClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final JsonMapper JSON = JsonMapper.shared();
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final URI console;
  private final Secret token;

  ApiClient(URI console, Secret token) {
    this.console = console;
    this.token = token;
  }

  URI console() {
    return console;
  }

  JsonNode get(String path) {
    return json(send("GET", path, BodyPublishers.noBody(), Map.of()));
  }

  JsonNode post(String path, Object body, Map<String, String> headers) {
    return json(
        send("POST", path, BodyPublishers.ofString(JSON.writeValueAsString(body)), headers));
  }

  /** Uploads the file unless the node has it, and returns its digest. */
  String upload(Path file) {
    try {
      String digest = Digests.sha256Hex(file);
      send("PUT", "/api/v1/blobs/" + digest, BodyPublishers.ofFile(file), Map.of());
      return digest;
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "cannot read " + file + ": " + e.getMessage());
    }
  }

  /** Downloads into the file, which appears only when it is whole. */
  void download(String path, Path file) {
    Path draft = file.resolveSibling(file.getFileName() + ".part");
    HttpResponse<InputStream> response = send("GET", path, BodyPublishers.noBody(), Map.of());
    try (InputStream body = response.body()) {
      Files.copy(body, draft, StandardCopyOption.REPLACE_EXISTING);
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "cannot write " + file + ": " + e.getMessage());
    }
  }

  private HttpResponse<InputStream> send(
      String method, String path, BodyPublisher body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(console.resolve(path))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + token.reveal())
            .header("Accept", "application/json")
            .header(
                "Content-Type",
                method.equals("PUT") ? "application/octet-stream" : "application/json")
            .method(method, body);
    headers.forEach(request::header);
    try {
      HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
      if (response.statusCode() >= 400) {
        throw refusal(response);
      }
      return response;
    } catch (ConnectException e) {
      throw new CommandFailure(
          ExitCode.UNREACHABLE, "no node answers at " + console + "; is 'gleaner up' running?");
    } catch (HttpTimeoutException e) {
      throw new CommandFailure(
          ExitCode.UNREACHABLE, console + " did not answer within " + TIMEOUT.toSeconds() + " s");
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.UNREACHABLE, "the connection to " + console + " broke: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted");
    }
  }

  private static CommandFailure refusal(HttpResponse<InputStream> response) throws IOException {
    ExitCode code = response.statusCode() == 404 ? ExitCode.NOT_FOUND : ExitCode.FAILED;
    String text;
    try (InputStream body = response.body()) {
      text = new String(body.readNBytes(1 << 20), StandardCharsets.UTF_8);
    }
    try {
      JsonNode problem = JSON.readTree(text);
      List<String> problems = new ArrayList<>();
      problem.path("problems").forEach(each -> problems.add(each.asString()));
      String detail = problem.path("detail").asString(problem.path("title").asString(""));
      if (!detail.isEmpty()) {
        return new CommandFailure(code, detail, problems);
      }
    } catch (JacksonException e) {
      return new CommandFailure(
          code, "the node answered " + response.statusCode() + " and no JSON; is it a console?");
    }
    return new CommandFailure(code, "the node answered " + response.statusCode());
  }

  private static JsonNode json(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      return JSON.readTree(body);
    } catch (IOException | JacksonException e) {
      throw new CommandFailure(ExitCode.FAILED, "the node's answer is not JSON: " + e.getMessage());
    }
  }
}

package io.gleaner.pages;

import io.gleaner.secrets.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** One caller over real HTTP: a program with a token, a browser with cookies, or a stranger. */
public final class Client {
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

  private final URI console;
  private final HttpClient http;
  private final String authorization;

  private Client(URI console, String authorization, Optional<SSLContext> tls) {
    this.console = console;
    this.authorization = authorization;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL));
    tls.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  static Client anonymous(URI console) {
    return new Client(console, "", Optional.empty());
  }

  static Client anonymous(URI console, SSLContext tls) {
    return new Client(console, "", Optional.of(tls));
  }

  static Client withToken(URI console, Secret token) {
    return new Client(console, "Bearer " + token.reveal(), Optional.empty());
  }

  static Client signedIn(URI console, String user, String password) {
    Client browser = anonymous(console);
    String csrf = csrfOf(browser.get("/signin").body());
    HttpResponse<String> answer =
        browser.postForm("/signin", Map.of("csrf", csrf, "name", user, "password", password));
    if (answer.statusCode() != 303) {
      throw new IllegalStateException("sign-in answered " + answer.statusCode());
    }
    return browser;
  }

  /** The token in the first form of a page. */
  public static String csrfOf(String page) {
    Matcher csrf = CSRF.matcher(page);
    if (!csrf.find()) {
      throw new IllegalStateException("the page has no form with a token");
    }
    return csrf.group(1);
  }

  public HttpResponse<String> get(String path) {
    return text(request(path).GET().build());
  }

  public HttpResponse<byte[]> bytes(String path) {
    return send(request(path).GET().build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  /** Opens an event stream; closing the stream ends it. */
  public HttpResponse<InputStream> open(String path, String lastEventId) {
    HttpRequest.Builder request = request(path).GET().timeout(Duration.ofSeconds(60));
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    return send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  public HttpResponse<String> put(String path, byte[] body) {
    return text(request(path).PUT(HttpRequest.BodyPublishers.ofByteArray(body)).build());
  }

  public HttpResponse<String> postJson(String path, String json, String... headers) {
    HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return text(request.POST(HttpRequest.BodyPublishers.ofString(json)).build());
  }

  public HttpResponse<String> postForm(String path, Map<String, String> fields) {
    String body =
        fields.entrySet().stream()
            .map(field -> field.getKey() + "=" + encode(field.getValue()))
            .collect(Collectors.joining("&"));
    return text(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** Posts fields and one file as a browser does. */
  public HttpResponse<String> postMultipart(
      String path, Map<String, String> fields, String fileName, String content) {
    String boundary = "gleaner-boundary";
    StringBuilder body = new StringBuilder();
    fields.forEach(
        (name, value) ->
            body.append("--" + boundary + "\r\nContent-Disposition: form-data; name=\"")
                .append(name + "\"\r\n\r\n" + value + "\r\n"));
    body.append("--" + boundary + "\r\nContent-Disposition: form-data; name=\"files\"; filename=\"")
        .append(fileName + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
        .append(content + "\r\n--" + boundary + "--\r\n");
    return text(
        request(path)
            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(console.resolve(path)).timeout(Duration.ofSeconds(30));
    return authorization.isEmpty() ? request : request.header("Authorization", authorization);
  }

  private HttpResponse<String> text(HttpRequest request) {
    return send(request, HttpResponse.BodyHandlers.ofString());
  }

  private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

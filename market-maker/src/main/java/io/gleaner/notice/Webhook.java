package io.gleaner.notice;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** POSTs the news as JSON; any 2xx answer counts as received, redirects are not followed. */
final class Webhook implements Channel {
  private final HttpClient client;
  private final Duration timeout;
  private final WebhookHosts hosts;

  Webhook(Duration timeout, WebhookHosts hosts) {
    this.timeout = timeout;
    this.hosts = hosts;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  @Override
  public void send(Notice notice) throws IOException {
    URI place = URI.create(notice.target());
    // The client asks for the same name right after, and the JVM remembers the answer.
    hosts.require(place);
    HttpRequest request =
        HttpRequest.newBuilder(place)
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", notice.key())
            .header("User-Agent", "gleaner")
            .POST(HttpRequest.BodyPublishers.ofString(notice.body()))
            .build();
    try {
      // What follows the head of the answer is not waited for: it need not ever end.
      HttpResponse<InputStream> answer =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      answer.body().close();
      int status = answer.statusCode();
      if (status < 200 || status > 299) {
        throw new IOException("it answered with status " + status + ", expected 200 to 299");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the node is closing", e);
    }
  }
}

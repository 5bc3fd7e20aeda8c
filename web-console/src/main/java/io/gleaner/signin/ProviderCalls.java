package io.gleaner.signin;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Calls of a provider that answers with JSON: 256 KiB at most, within a time, no redirections; TLS
 * as the platform trusts it. Ten at once, and a hundred that wait. To be used on one event loop.
 */
final class ProviderCalls {
  private static final int AT_ONCE = 10;
  private static final int MOST_WAITING = 100;
  private static final int LONGEST_ANSWER = 256 * 1024;

  /** The provider answered with another status than 200. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    Refused(int status) {
      super("it answered " + status);
      this.status = status;
    }

    /** Whether the fault is the caller's, by the provider's word. */
    boolean isOurFault() {
      return status >= 400 && status < 500;
    }
  }

  private final HttpClient http;
  private final long millis;

  ProviderCalls(Vertx vertx, Duration patience) {
    millis = patience.toMillis();
    http =
        vertx.createHttpClient(
            new HttpClientOptions().setVerifyHost(true).setConnectTimeout((int) millis),
            new PoolOptions().setHttp1MaxSize(AT_ONCE).setMaxWaitQueueSize(MOST_WAITING));
  }

  Future<JsonObject> get(String url) {
    return call(
        new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(url), Buffer.buffer());
  }

  Future<JsonObject> post(String url, MultiMap headers, String form) {
    return call(
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(url)
            .setHeaders(headers.add("Content-Type", "application/x-www-form-urlencoded")),
        Buffer.buffer(form));
  }

  private Future<JsonObject> call(RequestOptions options, Buffer body) {
    return http.request(options.setConnectTimeout(millis).putHeader("Accept", "application/json"))
        .compose(request -> answer(request, body))
        .timeout(millis, TimeUnit.MILLISECONDS);
  }

  private Future<JsonObject> answer(HttpClientRequest request, Buffer body) {
    return request
        .send(body)
        .compose(ProviderCalls::read)
        .timeout(millis, TimeUnit.MILLISECONDS)
        .onFailure(failure -> request.connection().close());
  }

  private static Future<JsonObject> read(HttpClientResponse answer) {
    if (answer.statusCode() != 200) {
      return Future.failedFuture(new Refused(answer.statusCode()));
    }
    Promise<JsonObject> read = Promise.promise();
    Buffer body = Buffer.buffer();
    answer.handler(
        part -> {
          if (body.length() + part.length() > LONGEST_ANSWER) {
            read.tryFail("its answer is longer than " + LONGEST_ANSWER + " bytes");
          } else {
            body.appendBuffer(part);
          }
        });
    answer.exceptionHandler(read::tryFail);
    answer.endHandler(
        end -> {
          try {
            read.tryComplete(body.toJsonObject());
          } catch (RuntimeException e) {
            read.tryFail("its answer is no JSON object");
          }
        });
    return read.future();
  }
}

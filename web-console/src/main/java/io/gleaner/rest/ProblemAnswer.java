package io.gleaner.rest;

import io.gleaner.http.Json;
import io.gleaner.http.Problem;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a failed request with {@code application/problem+json}. */
public final class ProblemAnswer {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemAnswer.class);

  private ProblemAnswer() {}

  public static void send(RoutingContext ctx) {
    send(ctx, Problem.of(ctx.failure(), ctx.statusCode()));
  }

  /** As above, with the problem that it is. */
  public static void send(RoutingContext ctx, Problem problem) {
    if (problem.isInternal()) {
      LOG.error("{} {} failed", ctx.request().method(), ctx.request().path(), ctx.failure());
    }
    HttpServerResponse response = ctx.response();
    if (response.headWritten()) {
      // Half an answer must not look like a whole one.
      response.reset();
      return;
    }
    if (problem.status() == 401) {
      response.putHeader("WWW-Authenticate", "Bearer");
    }
    sayWhen(response, ctx.failure(), problem.status());
    if (!ctx.request().isEnded()) {
      response.putHeader(HttpHeaders.CONNECTION, "close");
    }
    response
        .setChunked(false)
        .setStatusCode(problem.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json; charset=utf-8")
        .end(Json.encode(problem));
  }

  /** Says in the answer when to try again, if waiting helps. */
  public static void sayWhen(HttpServerResponse response, Throwable failure, int status) {
    long seconds = Problem.waitSeconds(failure, status);
    if (seconds > 0) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    }
  }
}

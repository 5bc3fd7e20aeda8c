package io.gleaner.rest;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The contract of this interface, an OpenAPI 3.1 document. */
final class OpenApi {
  private static final Buffer DOCUMENT = load();

  private OpenApi() {}

  static void send(RoutingContext ctx) {
    ctx.response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml; charset=utf-8")
        .end(DOCUMENT);
  }

  private static Buffer load() {
    try (InputStream in = OpenApi.class.getResourceAsStream("openapi.yaml")) {
      if (in == null) {
        throw new IllegalStateException("openapi.yaml is missing from the console's jar");
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

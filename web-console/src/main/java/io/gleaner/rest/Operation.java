package io.gleaner.rest;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/**
 * One row of the table of operations.
 *
 * @param path below {@code /api/v1}, with parameters in braces as OpenAPI writes them
 * @param open whether anybody may call it without signing in
 * @param body how the body is taken
 */
record Operation(
    HttpMethod method, String path, boolean open, Body body, Handler<RoutingContext> handler) {

  /** How an operation takes its body. */
  enum Body {
    NONE,
    /** A short JSON object, read whole. */
    JSON,
    /** Bytes that the handler streams itself. */
    STREAM
  }

  static Operation get(String path, Handler<RoutingContext> handler) {
    return new Operation(HttpMethod.GET, path, false, Body.NONE, handler);
  }

  static Operation getOpen(String path, Handler<RoutingContext> handler) {
    return new Operation(HttpMethod.GET, path, true, Body.NONE, handler);
  }

  static Operation post(String path, Handler<RoutingContext> handler) {
    return new Operation(HttpMethod.POST, path, false, Body.JSON, handler);
  }

  static Operation put(String path, Handler<RoutingContext> handler) {
    return new Operation(HttpMethod.PUT, path, false, Body.STREAM, handler);
  }

  /** The path as the router writes it. */
  String routerPath() {
    return path.replaceAll("\\{(\\w+)}", ":$1");
  }

  boolean changes() {
    return !method.equals(HttpMethod.GET);
  }
}

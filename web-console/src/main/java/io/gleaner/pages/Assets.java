package io.gleaner.pages;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.signing.Digests;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Style, script and icon, held in memory and served by name; nothing else can be asked for. */
final class Assets {

  private record Asset(String type, Buffer content, String etag) {}

  private final Map<String, Asset> byName =
      Map.of(
          "console.css", load("console.css", "text/css; charset=utf-8"),
          "console.js", load("console.js", "text/javascript; charset=utf-8"),
          "volunteer.js", load("volunteer.js", "text/javascript; charset=utf-8"),
          "icon.svg", load("icon.svg", "image/svg+xml"));

  void send(RoutingContext ctx) {
    Asset asset = byName.get(ctx.pathParam("name"));
    if (asset == null) {
      throw new ConsoleException(Code.NOT_FOUND, "there is no such file");
    }
    ctx.response()
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
        .putHeader(HttpHeaders.ETAG, asset.etag())
        .putHeader(HttpHeaders.CONTENT_TYPE, asset.type());
    if (asset.etag().equals(ctx.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
      ctx.response().setStatusCode(304).end();
    } else {
      ctx.response().end(asset.content());
    }
  }

  private static Asset load(String name, String type) {
    try (InputStream in = Assets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the console's jar");
      }
      byte[] bytes = in.readAllBytes();
      return new Asset(type, Buffer.buffer(bytes), "\"" + Digests.sha256Hex(bytes) + "\"");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

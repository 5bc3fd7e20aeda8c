package io.gleaner.pages;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** The templates of {@code src/main/jte}, compiled with the module; they escape what they show. */
final class Templates {
  private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(ContentType.Html);

  private Templates() {}

  static void send(RoutingContext ctx, int status, String template, Map<String, Object> model) {
    StringOutput html = new StringOutput();
    ENGINE.render(template + ".jte", model, html);
    ctx.response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
        .end(html.toString());
  }
}

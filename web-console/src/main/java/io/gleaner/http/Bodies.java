package io.gleaner.http;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.nio.file.Path;

/**
 * Reads bodies up to a limit, after the caller is known.
 *
 * <p>Plain handlers on purpose: the router insists that its own body handler stands before any
 * other, which would read the bodies of strangers.
 */
public final class Bodies {

  private Bodies() {}

  /** A body without files, held in memory. */
  public static Handler<RoutingContext> inMemory(long maxBytes) {
    BodyHandler body = BodyHandler.create(false).setBodyLimit(maxBytes);
    return ctx -> body.handle(ctx);
  }

  /** A form whose files wait in the folder until the answer is sent. */
  public static Handler<RoutingContext> withFiles(long maxBytes, Path folder) {
    BodyHandler body =
        BodyHandler.create(folder.toString())
            .setBodyLimit(maxBytes)
            .setDeleteUploadedFilesOnEnd(true);
    return ctx -> body.handle(ctx);
  }
}

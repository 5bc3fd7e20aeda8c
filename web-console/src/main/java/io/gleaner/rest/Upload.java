package io.gleaner.rest;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;

/** One body on its way into a file, at the pace of the disk. Confined to its event loop. */
final class Upload {
  private final HttpServerRequest request;
  private final AsyncFile file;
  private final long maxBytes;
  private final Promise<Void> done = Promise.promise();
  private long bytes;

  private Upload(HttpServerRequest request, AsyncFile file, long maxBytes) {
    this.request = request;
    this.file = file;
    this.maxBytes = maxBytes;
  }

  /** Completes when the whole body is in the file; fails with TOO_LARGE as soon as it is. */
  static Future<Void> toFile(Vertx vertx, HttpServerRequest request, Path path, long maxBytes) {
    request.pause();
    OpenOptions fresh = new OpenOptions().setWrite(true).setCreateNew(true).setPerms("rw-------");
    return vertx
        .fileSystem()
        .open(path.toString(), fresh)
        .compose(file -> new Upload(request, file, maxBytes).run());
  }

  private Future<Void> run() {
    request.handler(this::take);
    request.endHandler(end -> done.tryComplete());
    request.exceptionHandler(done::tryFail);
    file.exceptionHandler(done::tryFail);
    request.resume();
    return done.future().eventually(file::close);
  }

  private void take(Buffer chunk) {
    bytes += chunk.length();
    if (done.future().isComplete()) {
      return;
    }
    if (bytes > maxBytes) {
      done.tryFail(
          new ConsoleException(Code.TOO_LARGE, "a blob has at most " + maxBytes + " bytes"));
      return;
    }
    file.write(chunk).onFailure(done::tryFail);
    if (file.writeQueueFull()) {
      request.pause();
      file.drainHandler(drained -> request.resume());
    }
  }
}

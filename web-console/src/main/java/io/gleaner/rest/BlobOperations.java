package io.gleaner.rest;

import io.gleaner.blob.BlobStore;
import io.gleaner.blob.UserBlobs;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.ConsoleException.Code;
import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.gleaner.signing.Digests;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes bundles and inputs before the bag that names them. There is no way to read a blob by its
 * digest: outputs are read through their bag.
 */
public final class BlobOperations {
  private static final Logger LOG = LoggerFactory.getLogger(BlobOperations.class);

  private final Vertx vertx;
  private final UserBlobs blobs;
  private final OffLoop offLoop;
  private final Path folder;
  private final long maxBytes;

  /** What was stored. */
  record Stored(String digest, long bytes) {}

  private record Checked(Stored stored, boolean isNew) {}

  public BlobOperations(Vertx vertx, UserBlobs blobs, OffLoop offLoop, Path folder, long maxBytes) {
    this.vertx = vertx;
    this.blobs = blobs;
    this.offLoop = offLoop;
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  void put(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    caller.requireSubmitter();
    BlobStore theirs = blobs.of(caller.name());
    String digest = ctx.pathParam("sha256");
    if (!Digests.isSha256Hex(digest)) {
      throw new ConsoleException(
          Code.INVALID_REQUEST,
          "the path must end with a SHA-256 of 64 lower-case hexadecimal digits");
    }
    requireLength(ctx.request().getHeader(HttpHeaders.CONTENT_LENGTH));
    Path file = folder.resolve("blob-" + UUID.randomUUID());
    Upload.toFile(vertx, ctx.request(), file, maxBytes)
        .compose(received -> offLoop.call(() -> check(file, digest, theirs)))
        .onComplete(done -> discard(file))
        .onSuccess(checked -> Json.send(ctx, checked.isNew() ? 201 : 200, checked.stored()))
        .onFailure(ctx::fail);
  }

  private Checked check(Path file, String expected, BlobStore theirs) throws IOException {
    String actual = Digests.sha256Hex(file);
    if (!actual.equals(expected)) {
      throw new ConsoleException(
          Code.DIGEST_MISMATCH,
          "the content has the SHA-256 "
              + actual
              + ", not the one of the path; it was damaged on its way or changed meanwhile, send"
              + " it again");
    }
    boolean isNew = !theirs.contains(expected);
    // Also if it is there: what lies on the disk may be damaged, and is replaced then.
    try (InputStream in = Files.newInputStream(file)) {
      theirs.put(in);
    }
    return new Checked(new Stored(expected, Files.size(file)), isNew);
  }

  private void requireLength(String declared) {
    if (declared != null && Long.parseLong(declared) > maxBytes) {
      throw new ConsoleException(
          Code.TOO_LARGE, "a blob has at most " + maxBytes + " bytes, this one " + declared);
    }
  }

  private void discard(Path file) {
    vertx
        .fileSystem()
        .delete(file.toString())
        .onFailure(failure -> LOG.warn("upload {} is left behind", file.getFileName(), failure));
  }
}

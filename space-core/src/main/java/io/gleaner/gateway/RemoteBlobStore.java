package io.gleaner.gateway;

import io.gleaner.blob.BlobStore;
import io.gleaner.blob.VerifiedStream;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.signing.Digests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blobs behind a gateway. Transfers go on after a broken connection came back; at another node
 * downloads go on, and uploads whose content can be read again begin again. Safe for all threads;
 * calls wait and are not for an event loop.
 */
final class RemoteBlobStore implements BlobStore, ClientLink.User {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteBlobStore.class);

  /** So many nodes may end, one after the other, while they are sent one blob. */
  private static final int MOST_BEGINNINGS = 5;

  private final long patienceMillis;
  private final AtomicLong lastTransfer = new AtomicLong();
  private final Map<Long, RemoteTransfer> transfers = new ConcurrentHashMap<>();
  private volatile Optional<ClientLink> link = Optional.empty();
  private volatile Optional<GatewayException> lost = Optional.empty();

  /**
   * A store without a link yet.
   *
   * @param patienceMillis how long a transfer may stand still
   */
  RemoteBlobStore(long patienceMillis) {
    this.patienceMillis = patienceMillis;
  }

  /** Tells by which link to ask; called once, before anything else. */
  void use(ClientLink its) {
    link = Optional.of(its);
  }

  @Override
  public String put(Source content) throws IOException {
    for (int beginnings = 1; ; beginnings++) {
      try (InputStream in = content.open()) {
        return put(in);
      } catch (UploadForgotten e) {
        if (beginnings == MOST_BEGINNINGS) {
          throw e;
        }
        LOG.info("an upload begins again, by another link");
      }
    }
  }

  @Override
  public String put(InputStream content) throws IOException {
    RemoteUpload upload = new RemoteUpload(this::renumber, link.orElseThrow(), patienceMillis);
    upload.begin();
    boolean ended = false;
    try {
      MessageDigest digest = Digests.sha256();
      byte[] chunk;
      do {
        chunk = content.readNBytes(Protocol.BLOB_CHUNK_BYTES);
        digest.update(chunk);
        upload.send(chunk, chunk.length < Protocol.BLOB_CHUNK_BYTES);
      } while (chunk.length == Protocol.BLOB_CHUNK_BYTES);
      String stored = upload.awaitDigest();
      ended = true;
      String sent = Digests.hex(digest.digest());
      if (!stored.equals(sent)) {
        throw new IOException(
            "blob " + sent + " reached the node damaged, as " + stored + "; put it again");
      }
      return stored;
    } finally {
      transfers.remove(upload.transfer());
      if (!ended) {
        cancel(upload.transfer());
      }
    }
  }

  @Override
  public boolean contains(String digest) throws IOException {
    if (!Digests.isSha256Hex(digest)) {
      return false;
    }
    long transfer = lastTransfer.incrementAndGet();
    Question question = new Question(transfer, digest);
    begin(transfer, question);
    try {
      question.resumed();
      return question.known.get(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new IOException("the gateway did not answer within " + patienceMillis + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the gateway was asked for a blob");
    } finally {
      transfers.remove(transfer);
    }
  }

  @Override
  public InputStream open(String digest) throws IOException {
    if (!Digests.isSha256Hex(digest)) {
      throw new FileNotFoundException("what was asked for is not a SHA-256 in hexadecimal");
    }
    long transfer = lastTransfer.incrementAndGet();
    RemoteDownload download =
        new RemoteDownload(
            transfer, digest, link.orElseThrow(), patienceMillis, () -> transfers.remove(transfer));
    begin(transfer, download);
    try {
      download.request();
      download.awaitFirst();
      return new VerifiedStream(download, digest);
    } catch (IOException e) {
      download.close();
      throw e;
    }
  }

  @Override
  public void received(Wire.ServerFrame frame) {
    long transfer =
        switch (frame.getBodyCase()) {
          case BLOB_RECEIVED -> frame.getBlobReceived().getTransfer();
          case BLOB_STORED -> frame.getBlobStored().getTransfer();
          case BLOB_CHUNK -> frame.getBlobChunk().getTransfer();
          case BLOB_KNOWN -> frame.getBlobKnown().getTransfer();
          case BLOB_FAILED -> frame.getBlobFailed().getTransfer();
          default -> 0L;
        };
    RemoteTransfer its = transfers.get(transfer);
    if (its != null) {
      its.received(frame);
    }
  }

  @Override
  public void resumed() {
    transfers.values().forEach(RemoteTransfer::resumed);
  }

  @Override
  public void replaced() {
    transfers.values().forEach(RemoteTransfer::replaced);
  }

  @Override
  public void lost(GatewayException why) {
    lost = Optional.of(why);
    transfers.values().forEach(transfer -> transfer.fail(new IOException(why.getMessage(), why)));
  }

  /** Lets frames come to the upload under another number. */
  private long renumber(RemoteUpload upload) {
    transfers.remove(upload.transfer());
    long transfer = lastTransfer.incrementAndGet();
    begin(transfer, upload);
    return transfer;
  }

  private void begin(long transfer, RemoteTransfer its) {
    transfers.put(transfer, its);
    lost.ifPresent(why -> its.fail(new IOException(why.getMessage(), why)));
  }

  private void cancel(long transfer) {
    link.orElseThrow()
        .send(
            Frames.client()
                .setBlobCancel(Wire.BlobCancel.newBuilder().setTransfer(transfer))
                .build());
  }

  /** Whether the node has a blob. */
  private final class Question implements RemoteTransfer {
    private final Wire.ClientFrame frame;
    private final CompletableFuture<Boolean> known = new CompletableFuture<>();

    Question(long transfer, String digest) {
      this.frame =
          Frames.client()
              .setBlobContains(
                  Wire.BlobContains.newBuilder().setTransfer(transfer).setDigest(digest))
              .build();
    }

    @Override
    public void received(Wire.ServerFrame answer) {
      if (answer.hasBlobKnown()) {
        known.complete(answer.getBlobKnown().getKnown());
      } else {
        fail(new IOException("the gateway cannot say: " + answer.getBlobFailed().getMessage()));
      }
    }

    @Override
    public void resumed() {
      link.orElseThrow().send(frame);
    }

    @Override
    public void replaced() {
      resumed();
    }

    @Override
    public void fail(IOException why) {
      known.completeExceptionally(why);
    }
  }
}

package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.blob.BlobQuotaExceeded;
import io.gleaner.blob.BlobStore;
import io.gleaner.blob.BlobTooLarge;
import io.gleaner.gateway.wire.Wire;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The blobs that one client puts and gets. Safe for all threads. */
final class ServerTransfers {
  private static final int MOST_TRANSFERS = 32;
  private static final int MOST_OUTCOMES = 256;
  private static final int MOST_IDLE_SWEEPS = 120;

  private final BlobDesk blobs;
  private final OwnerUse use;
  private final BlobStore store;
  private final Supplier<Optional<String>> asks;
  private final Way way;
  private final Outflow outflow;
  private final Map<Long, Upload> uploads = new ConcurrentHashMap<>();
  private final Map<Long, Download> downloads = new ConcurrentHashMap<>();
  // How uploads ended, for a client that did not hear it; guarded by itself.
  private final Map<Long, Message> outcomes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Message> eldest) {
          return size() > MOST_OUTCOMES;
        }
      };

  /** To the client. */
  interface Way {
    void send(Message frame);

    /** Whether it reads what it was sent, so that a chunk more may wait for it. */
    boolean hasRoom();
  }

  /**
   * @param asks counts one more transfer or question, or says why not
   */
  ServerTransfers(BlobDesk blobs, OwnerUse use, Supplier<Optional<String>> asks, Way way) {
    this.blobs = blobs;
    this.use = use;
    this.store = blobs.blobs().of(use.owner);
    this.asks = asks;
    this.way = way;
    this.outflow =
        new Outflow(
            turn -> blobs.readers().take(use.owner, turn),
            () -> way.hasRoom() && use.held.hasRoom());
  }

  /** Takes the chunk, or answers false and calls back when there is room for it. */
  boolean put(Wire.BlobPut put, Runnable later) throws MalformedFrame {
    int bytes = put.getChunk().size();
    Protocol.require(
        bytes <= Protocol.BLOB_CHUNK_BYTES,
        "a chunk of " + bytes + " bytes, at most " + Protocol.BLOB_CHUNK_BYTES);
    if (!use.intake.takes(bytes, later)) {
      return false;
    }
    boolean kept = false;
    try {
      kept = put(put);
    } finally {
      if (!kept) {
        use.intake.gives(bytes);
      }
    }
    return true;
  }

  private boolean put(Wire.BlobPut put) throws MalformedFrame {
    Protocol.requireKnown(put);
    long transfer = put.getTransfer();
    // In this order: an outcome is there before its upload goes.
    Upload upload = uploads.get(transfer);
    if (upload == null) {
      Message outcome;
      synchronized (outcomes) {
        outcome = outcomes.get(transfer);
      }
      if (outcome != null) {
        way.send(outcome);
        return false;
      }
      Optional<String> refusal =
          put.getOffset() > 0
              ? Optional.of("this upload is not known any more; begin it again")
              : refusal();
      if (refusal.isPresent()) {
        end(transfer, failed(transfer, Wire.BlobFailed.Code.BUSY, refusal.get()));
        return false;
      }
      upload = begin(transfer);
    }
    return upload.offer(put);
  }

  /** Counts one more transfer; or the sentence with which it is refused. */
  private Optional<String> refusal() {
    return uploads.size() + downloads.size() >= MOST_TRANSFERS
        ? Optional.of("more than " + MOST_TRANSFERS + " transfers at a time")
        : asks.get();
  }

  void get(Wire.BlobGet get) throws MalformedFrame {
    Protocol.requireKnown(get);
    Protocol.require(get.getOffset() >= 0, "a blob is asked for from a negative offset");
    long transfer = get.getTransfer();
    Download before = downloads.remove(transfer);
    if (before != null) {
      before.close();
    }
    Optional<String> refusal = refusal();
    if (refusal.isPresent()) {
      way.send(failed(transfer, Wire.BlobFailed.Code.BUSY, refusal.get()));
      return;
    }
    Download download =
        new Download(
            get,
            store,
            outflow::take,
            way::send,
            done -> {
              downloads.remove(transfer, done);
              use.answered(0);
            });
    downloads.put(transfer, download);
    download.pump();
  }

  /** The client has read, or there is another way to it, or none. */
  void goOn() {
    outflow.goOn();
  }

  void credit(Wire.BlobCredit credit) throws MalformedFrame {
    Protocol.requireKnown(credit);
    Download download = downloads.get(credit.getTransfer());
    if (download != null) {
      download.credit(credit.getChunks());
    }
  }

  void contains(Wire.BlobContains contains) throws MalformedFrame {
    Protocol.requireKnown(contains);
    long transfer = contains.getTransfer();
    Optional<String> refusal = asks.get();
    if (refusal.isPresent()) {
      way.send(failed(transfer, Wire.BlobFailed.Code.BUSY, refusal.get()));
      return;
    }
    blobs
        .readers()
        .take(
            use.owner,
            () -> {
              use.answered(0);
              way.send(known(transfer, contains.getDigest()));
            });
  }

  private Message known(long transfer, String digest) {
    try {
      return Frames.server()
          .setBlobKnown(
              Wire.BlobKnown.newBuilder().setTransfer(transfer).setKnown(store.contains(digest)))
          .build();
    } catch (IOException | RuntimeException e) {
      return failed(transfer, Wire.BlobFailed.Code.IO, String.valueOf(e.getMessage()));
    }
  }

  void cancel(long transfer) {
    Upload upload = uploads.get(transfer);
    if (upload != null) {
      upload.stop(new IOException("the transfer was given up"));
    }
    Download download = downloads.remove(transfer);
    if (download != null) {
      download.close();
    }
  }

  /** Ends transfers that stand still; called about once a second. */
  void sweep() {
    outflow.goOn();
    downloads.entrySet().stream()
        .filter(entry -> entry.getValue().idleSweeps() > MOST_IDLE_SWEEPS)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::cancel);
    uploads.values().stream()
        .filter(upload -> upload.idleSweeps() > blobs.patienceSweeps())
        .forEach(
            upload ->
                upload.stop(
                    new IOException(
                        "no more bytes came within about " + blobs.patienceSweeps() + " s")));
  }

  void close() {
    uploads.keySet().forEach(this::cancel);
    downloads.keySet().forEach(this::cancel);
  }

  private Upload begin(long transfer) {
    Upload upload =
        new Upload(
            blobs.limitBytes(),
            () -> blobs.blobs().begin(use.owner),
            turn -> blobs.writers().take(use.owner, turn),
            new Upload.Told(
                written ->
                    way.send(
                        Frames.server()
                            .setBlobReceived(
                                Wire.BlobReceived.newBuilder()
                                    .setTransfer(transfer)
                                    .setBytes(written))
                            .build()),
                use.intake::gives,
                digest ->
                    ended(
                        transfer,
                        Frames.server()
                            .setBlobStored(
                                Wire.BlobStored.newBuilder()
                                    .setTransfer(transfer)
                                    .setDigest(digest))
                            .build()),
                why ->
                    ended(
                        transfer, failed(transfer, code(why), String.valueOf(why.getMessage())))));
    uploads.put(transfer, upload);
    return upload;
  }

  private void ended(long transfer, Message outcome) {
    use.answered(0);
    end(transfer, outcome);
  }

  private static Wire.BlobFailed.Code code(Throwable failure) {
    if (failure instanceof BlobTooLarge) {
      return Wire.BlobFailed.Code.TOO_LARGE;
    }
    return failure instanceof BlobQuotaExceeded
        ? Wire.BlobFailed.Code.QUOTA
        : Wire.BlobFailed.Code.IO;
  }

  private void end(long transfer, Message outcome) {
    synchronized (outcomes) {
      outcomes.put(transfer, outcome);
    }
    uploads.remove(transfer);
    way.send(outcome);
  }

  private static Message failed(long transfer, Wire.BlobFailed.Code code, String message) {
    return Frames.server()
        .setBlobFailed(
            Wire.BlobFailed.newBuilder().setTransfer(transfer).setCode(code).setMessage(message))
        .build();
  }
}

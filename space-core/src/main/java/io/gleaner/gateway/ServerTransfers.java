package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.blob.BlobQuotaExceeded;
import io.gleaner.blob.BlobStore;
import io.gleaner.blob.BlobTooLarge;
import io.gleaner.gateway.wire.Wire;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The blobs that one client puts and gets. Safe for all threads. */
final class ServerTransfers {
  private static final int MOST_TRANSFERS = 32;
  private static final int MOST_OUTCOMES = 256;
  private static final int MOST_IDLE_SWEEPS = 120;

  private final BlobDesk blobs;
  private final BlobStore store;
  private final Consumer<Message> send;
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

  ServerTransfers(BlobDesk blobs, String user, Consumer<Message> send) {
    this.blobs = blobs;
    this.store = blobs.blobs().of(user);
    this.send = send;
  }

  void put(Wire.BlobPut put) throws MalformedFrame {
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
        send.accept(outcome);
        return;
      }
      if (put.getOffset() > 0 || isBusy()) {
        end(
            transfer,
            failed(
                transfer,
                Wire.BlobFailed.Code.BUSY,
                put.getOffset() > 0
                    ? "this upload is not known any more; begin it again"
                    : "more than " + MOST_TRANSFERS + " transfers at a time"));
        return;
      }
      upload = begin(transfer);
    }
    upload.offer(put);
  }

  void get(Wire.BlobGet get) throws MalformedFrame {
    Protocol.requireKnown(get);
    Protocol.require(get.getOffset() >= 0, "a blob is asked for from a negative offset");
    long transfer = get.getTransfer();
    Download again = downloads.remove(transfer);
    if (again != null) {
      again.close();
    } else if (isBusy()) {
      send.accept(
          failed(
              transfer,
              Wire.BlobFailed.Code.BUSY,
              "more than " + MOST_TRANSFERS + " transfers at a time"));
      return;
    }
    Download download =
        new Download(get, store, blobs.readers(), send, done -> downloads.remove(transfer, done));
    downloads.put(transfer, download);
    download.pump();
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
    blobs
        .readers()
        .executeBlocking(() -> store.contains(contains.getDigest()), false)
        .onComplete(
            known ->
                send.accept(
                    known.succeeded()
                        ? Frames.server()
                            .setBlobKnown(
                                Wire.BlobKnown.newBuilder()
                                    .setTransfer(transfer)
                                    .setKnown(known.result()))
                            .build()
                        : failed(transfer, Wire.BlobFailed.Code.IO, known.cause().getMessage())));
  }

  void cancel(long transfer) {
    Upload upload = uploads.get(transfer);
    if (upload != null) {
      upload.cancel();
    }
    Download download = downloads.remove(transfer);
    if (download != null) {
      download.close();
    }
  }

  /** Closes downloads that nobody reads any more; called about once a second. */
  void sweep() {
    downloads.entrySet().stream()
        .filter(entry -> entry.getValue().idleSweeps() > MOST_IDLE_SWEEPS)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::cancel);
  }

  void close() {
    uploads.keySet().forEach(this::cancel);
    downloads.keySet().forEach(this::cancel);
  }

  private boolean isBusy() {
    return uploads.size() + downloads.size() >= MOST_TRANSFERS;
  }

  private Upload begin(long transfer) {
    Upload upload =
        new Upload(
            blobs.limitBytes(),
            blobs.patienceMillis(),
            consumed ->
                send.accept(
                    Frames.server()
                        .setBlobReceived(
                            Wire.BlobReceived.newBuilder().setTransfer(transfer).setBytes(consumed))
                        .build()));
    uploads.put(transfer, upload);
    blobs
        .writers()
        .executeBlocking(() -> store.put(upload), false)
        .onComplete(
            stored ->
                end(
                    transfer,
                    stored.succeeded()
                        ? Frames.server()
                            .setBlobStored(
                                Wire.BlobStored.newBuilder()
                                    .setTransfer(transfer)
                                    .setDigest(stored.result()))
                            .build()
                        : failed(
                            transfer,
                            code(stored.cause()),
                            String.valueOf(stored.cause().getMessage()))));
    return upload;
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
    send.accept(outcome);
  }

  private static Message failed(long transfer, Wire.BlobFailed.Code code, String message) {
    return Frames.server()
        .setBlobFailed(
            Wire.BlobFailed.newBuilder().setTransfer(transfer).setCode(code).setMessage(message))
        .build();
  }
}

package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits to be written to one channel. Frames that come while it is busy go out together in one
 * write. Safe for all threads; {@code drained} is called on the channel's context.
 */
final class Outbox {
  private static final long FULL_BYTES = 1024 * 1024;
  private static final long DRAINED_BYTES = FULL_BYTES / 4;

  private final Channel channel;
  private final Context context;
  private final Runnable drained;
  private final Queue<byte[]> frames = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final AtomicLong backlogBytes = new AtomicLong();

  Outbox(Channel channel, Context context, Runnable drained) {
    this.channel = channel;
    this.context = context;
    this.drained = drained;
  }

  void send(Message frame) {
    send(List.of(frame));
  }

  /** Sends the frames with no other between them. */
  void send(List<? extends Message> messages) {
    byte[] bytes = Frames.encode(messages);
    backlogBytes.addAndGet(bytes.length);
    frames.add(bytes);
    if (scheduled.compareAndSet(false, true)) {
      context.runOnContext(v -> flush());
    }
  }

  /** Whether the peer reads too slowly for more. */
  boolean isFull() {
    return backlogBytes.get() > FULL_BYTES;
  }

  boolean isDrained() {
    return backlogBytes.get() <= DRAINED_BYTES;
  }

  /** Bytes that were sent here and not yet written. */
  long backlogBytes() {
    return backlogBytes.get();
  }

  private void flush() {
    scheduled.set(false);
    byte[] first = frames.poll();
    if (first == null) {
      return;
    }
    Buffer out = Buffer.buffer(first);
    for (byte[] next = frames.poll(); next != null; next = frames.poll()) {
      out.appendBytes(next);
    }
    int written = out.length();
    channel
        .write(out)
        .onComplete(
            result -> {
              long before = backlogBytes.getAndAdd(-written);
              if (before > DRAINED_BYTES && before - written <= DRAINED_BYTES) {
                drained.run();
              }
            });
  }
}

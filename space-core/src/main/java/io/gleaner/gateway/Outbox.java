package io.gleaner.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Message;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * What waits to be written to one channel. Frames that come while it is busy go out together in one
 * write; while the peer leaves much unread, answers wait as they are, not as bytes. Safe for all
 * threads; {@code drained} is called on the channel's context.
 */
final class Outbox {
  private static final long FULL_BYTES = 1024 * 1024;
  private static final long DRAINED_BYTES = FULL_BYTES / 4;
  private static final int WRITE_BYTES = 256 * 1024;

  private final Channel channel;
  private final Context context;
  private final Runnable drained;
  private final LongConsumer held;
  private final Queue<byte[]> frames = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final AtomicLong backlogBytes = new AtomicLong();
  private final AtomicLong writtenBytes = new AtomicLong();

  /** Come when the peer has read; frames that were sent later wait behind them. */
  @GuardedBy("this")
  private final Queue<Supplier<? extends List<? extends Message>>> late = new ArrayDeque<>();

  private volatile boolean isLate; // changed under the monitor

  /**
   * @param held is told of bytes that wait here, and of those that do no more
   */
  Outbox(Channel channel, Context context, Runnable drained, LongConsumer held) {
    this.held = held;
    this.channel = channel;
    this.context = context;
    this.drained = drained;
  }

  void send(Message frame) {
    send(List.of(frame));
  }

  /** Sends the frames with no other between them. */
  void send(List<? extends Message> messages) {
    send(() -> messages);
  }

  /** As above, of what is not made before there is room for it. */
  void send(Supplier<? extends List<? extends Message>> messages) {
    if (isFull()) {
      synchronized (this) {
        if (isFull()) {
          late.add(messages);
          isLate = true;
          return;
        }
      }
    }
    add(messages.get());
  }

  private void add(List<? extends Message> messages) {
    byte[] bytes = Frames.encode(messages);
    backlogBytes.addAndGet(bytes.length);
    held.accept(bytes.length);
    frames.add(bytes);
    if (scheduled.compareAndSet(false, true)) {
      context.runOnContext(v -> flush());
    }
  }

  /** Whether the peer reads too slowly for more. */
  boolean isFull() {
    return isLate || backlogBytes.get() > FULL_BYTES;
  }

  boolean isDrained() {
    return !isLate && backlogBytes.get() <= DRAINED_BYTES;
  }

  /** Whether the peer reads, so that a chunk more may wait. */
  boolean hasRoomForChunk() {
    return !isLate && backlogBytes.get() <= FULL_BYTES / 2;
  }

  /** Bytes that were written, since the beginning. */
  long writtenBytes() {
    return writtenBytes.get();
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
    // In pieces, so that it can be seen that a slow peer reads.
    for (int from = 0; from < out.length(); from += WRITE_BYTES) {
      int length = Math.min(WRITE_BYTES, out.length() - from);
      channel.write(out.slice(from, from + length)).onComplete(result -> written(length));
    }
  }

  private void written(int length) {
    writtenBytes.addAndGet(length);
    held.accept(-length);
    long before = backlogBytes.getAndAdd(-length);
    if (before > DRAINED_BYTES && before - length <= DRAINED_BYTES) {
      addLate();
      drained.run();
    }
  }

  private synchronized void addLate() {
    while (!late.isEmpty() && backlogBytes.get() <= FULL_BYTES) {
      add(late.remove().get());
    }
    isLate = !late.isEmpty();
  }
}

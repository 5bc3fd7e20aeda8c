package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Message;
import io.gleaner.gateway.wire.Wire;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class OutboxTest {
  private static final int ANSWER_BYTES = 300_000;
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Slow peer = new Slow();
  private final AtomicLong held = new AtomicLong();
  private final AtomicInteger drained = new AtomicInteger();
  private final AtomicInteger made = new AtomicInteger();
  private final Outbox outbox =
      new Outbox(channel(), context, drained::incrementAndGet, held::addAndGet);

  @AfterEach
  void closes() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  @Tag("S15")
  void answersAreMadeWhenThePeerHasReadWhatCameBefore() {
    int answers = 40;
    for (int i = 0; i < answers; i++) {
      int number = i;
      outbox.send(() -> List.of(answer(number)));
    }
    assertThat(made.get()).isEqualTo(4);
    assertThat(held.get()).isEqualTo(outbox.backlogBytes()).isLessThan(5L * ANSWER_BYTES);
    assertThat(outbox.isFull()).isTrue();
    assertThat(outbox.hasRoomForChunk()).isFalse();
    List<Long> numbers = new ArrayList<>();
    while (numbers.size() < answers) {
      numbers.addAll(peer.reads());
      assertThat(held.get()).isLessThan(5L * ANSWER_BYTES);
    }
    for (int i = 0; i < answers; i++) {
      assertThat(numbers.get(i)).isEqualTo(i);
    }
    await().until(() -> held.get() == 0);
    assertThat(outbox.isDrained()).isTrue();
    assertThat(drained.get()).isPositive();
    assertThat(outbox.writtenBytes()).isGreaterThan((long) answers * ANSWER_BYTES);
  }

  private Message answer(int number) {
    made.incrementAndGet();
    return Frames.server()
        .setBlobChunk(
            Wire.BlobChunk.newBuilder()
                .setTransfer(number)
                .setChunk(com.google.protobuf.ByteString.copyFrom(new byte[ANSWER_BYTES])))
        .build();
  }

  private Channel channel() {
    return new Channel(new Nothing(), peer) {
      @Override
      SocketAddress remote() {
        return SocketAddress.inetSocketAddress(1, "127.0.0.1");
      }

      @Override
      void receive(Handler<Buffer> bytes) {}

      @Override
      void onClose(Runnable closed) {}

      @Override
      void end(String why) {}

      @Override
      void close() {}
    };
  }

  /** Takes a piece when the test says so. */
  private final class Slow implements WriteStream<Buffer> {
    private record Piece(Buffer bytes, Promise<Void> written) {}

    private final Queue<Piece> pieces = new ConcurrentLinkedQueue<>();
    private final FrameSplitter splitter = new FrameSplitter(1 << 20);

    /** The answers that are whole with the next piece. */
    List<Long> reads() {
      Piece piece = await().atMost(Duration.ofSeconds(60)).until(pieces::poll, p -> p != null);
      splitter.add(piece.bytes.getBytes());
      context.runOnContext(v -> piece.written.complete());
      List<Long> numbers = new ArrayList<>();
      try {
        for (var next = splitter.next(); next.isPresent(); next = splitter.next()) {
          numbers.add(Wire.ServerFrame.parseFrom(next.get()).getBlobChunk().getTransfer());
        }
      } catch (FrameSplitter.FrameTooLarge | com.google.protobuf.InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
      return numbers;
    }

    @Override
    public Future<Void> write(Buffer data) {
      Promise<Void> written = Promise.promise();
      pieces.add(new Piece(data, written));
      return written.future();
    }

    @Override
    public WriteStream<Buffer> exceptionHandler(Handler<Throwable> handler) {
      return this;
    }

    @Override
    public Future<Void> end() {
      return Future.succeededFuture();
    }

    @Override
    public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
      return this;
    }

    @Override
    public boolean writeQueueFull() {
      return false;
    }

    @Override
    public WriteStream<Buffer> drainHandler(Handler<Void> handler) {
      return this;
    }
  }

  /** Nothing comes from there. */
  private static final class Nothing implements ReadStream<Buffer> {
    @Override
    public ReadStream<Buffer> exceptionHandler(Handler<Throwable> handler) {
      return this;
    }

    @Override
    public ReadStream<Buffer> handler(Handler<Buffer> handler) {
      return this;
    }

    @Override
    public ReadStream<Buffer> pause() {
      return this;
    }

    @Override
    public ReadStream<Buffer> resume() {
      return this;
    }

    @Override
    public ReadStream<Buffer> fetch(long amount) {
      return this;
    }

    @Override
    public ReadStream<Buffer> endHandler(Handler<Void> handler) {
      return this;
    }
  }
}

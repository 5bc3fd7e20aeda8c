package io.gleaner.gateway;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;

/** What carries the bytes of one connection both ways. Confined to its context. */
abstract class Channel {
  private final ReadStream<Buffer> in;
  private final WriteStream<Buffer> out;

  /** Both ways of one socket. */
  Channel(ReadStream<Buffer> in, WriteStream<Buffer> out) {
    this.in = in;
    this.out = out;
  }

  abstract SocketAddress remote();

  /** Hands over what comes, however it was cut on its way. */
  abstract void receive(Handler<Buffer> bytes);

  final void onTrouble(Handler<Throwable> trouble) {
    in.exceptionHandler(trouble);
  }

  abstract void onClose(Runnable closed);

  /** Completes when it was written. */
  final Future<Void> write(Buffer bytes) {
    return out.write(bytes);
  }

  /** Hands nothing over until {@link #resume}. */
  final void pause() {
    in.pause();
  }

  final void resume() {
    in.resume();
  }

  /** Closes behind what was written before; where it can, it says why. */
  abstract void end(String why);

  abstract void close();
}

package io.gleaner.gateway;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;

/** What carries the bytes of one connection both ways. Confined to its context. */
interface Channel {

  SocketAddress remote();

  /** Hands over what comes, however it was cut on its way. */
  void receive(Handler<Buffer> bytes);

  void onTrouble(Handler<Throwable> trouble);

  void onClose(Runnable closed);

  /** Completes when it was written. */
  Future<Void> write(Buffer bytes);

  /** Hands nothing over until {@link #resume}. */
  void pause();

  void resume();

  /** Closes behind what was written before; where it can, it says why. */
  void end(String why);

  void close();
}

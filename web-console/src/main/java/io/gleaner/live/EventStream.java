package io.gleaner.live;

import io.gleaner.signin.Caller;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The stream of one client. Confined to the event loop of its {@link LiveHub}.
 *
 * <p>A client that does not read is cut off once its backlog is full; it resumes with the id of the
 * last event that it got.
 */
final class EventStream {
  private static final int MOST_WAITING = 256;
  private static final int QUEUE_BYTES = 64 * 1024;

  private final HttpServerResponse response;
  private final Caller caller;
  private final Optional<String> onlyBag;
  private final Deque<Buffer> waiting = new ArrayDeque<>();
  private boolean cutOff;

  EventStream(HttpServerResponse response, Caller caller, Optional<String> onlyBag) {
    this.response = response.setWriteQueueMaxSize(QUEUE_BYTES);
    this.caller = caller;
    this.onlyBag = onlyBag;
    response.drainHandler(drained -> flush());
  }

  Caller caller() {
    return caller;
  }

  void offer(LiveEvent event) {
    if (event.isFor(caller, onlyBag)) {
      send(event.frame());
    }
  }

  void comment(String text) {
    send(Buffer.buffer(": " + text + "\n\n"));
  }

  void send(Buffer frame) {
    if (cutOff || response.ended() || response.closed()) {
      return;
    }
    if (waiting.size() >= MOST_WAITING) {
      cutOff = true;
      waiting.clear();
      response.reset();
      return;
    }
    waiting.add(frame);
    flush();
  }

  void end() {
    if (!response.ended() && !response.closed()) {
      response.end();
    }
  }

  boolean isCutOff() {
    return cutOff;
  }

  private void flush() {
    while (!waiting.isEmpty() && !response.writeQueueFull()) {
      response.write(waiting.remove());
    }
  }
}

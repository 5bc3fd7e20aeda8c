package io.gleaner.volunteer;

import io.gleaner.http.ConsoleException;
import io.gleaner.http.Json;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.volunteer.BrowserDesk.Place;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A WebSocket that has been given a nonce and owes one message with its proof, in time. Confined to
 * the socket's context.
 */
final class Challenge {
  private static final Logger LOG = LoggerFactory.getLogger(Challenge.class);
  private static final short NORMAL = 1000;
  private static final short REFUSED = 1008;
  private static final short LATER = 1013;
  private static final int LONGEST_REASON = 123;

  private final Vertx vertx;
  private final ServerWebSocket socket;
  private final Place place;
  private long timer;
  private boolean answered;

  /** What a refused browser is told before the socket closes. */
  record Refused(String refused) {}

  Challenge(Vertx vertx, ServerWebSocket socket, Place place) {
    this.vertx = vertx;
    this.socket = socket;
    this.place = place;
  }

  /**
   * Sends the nonce and waits.
   *
   * @param proof hears the one message; the socket is paused then
   * @param over is told when it does not wait any more, for whatever reason
   */
  void begin(Duration patience, Consumer<Buffer> proof, Runnable over) {
    timer =
        vertx.setTimer(
            patience.toMillis(), t -> refuse("no proof came in " + patience.toSeconds() + " s"));
    socket.closeHandler(
        v -> {
          vertx.cancelTimer(timer);
          over.run();
        });
    socket.exceptionHandler(e -> LOG.debug("browser at {}: {}", peer(), e.getMessage()));
    socket.binaryMessageHandler(bytes -> refuse("bytes came before the proof, which is JSON text"));
    socket.textMessageHandler(
        text -> {
          if (!answered) {
            answered = true;
            vertx.cancelTimer(timer);
            socket.pause();
            over.run();
            proof.accept(Buffer.buffer(text));
          }
        });
    socket.writeTextMessage(Json.encode(place).toString());
  }

  Place place() {
    return place;
  }

  /** The address that asks. */
  String from() {
    return socket.remoteAddress().hostAddress();
  }

  boolean hasEnded() {
    return socket.isClosed();
  }

  /** The socket as it was before anybody listened, still paused. */
  ServerWebSocket handedOver() {
    socket.textMessageHandler(null);
    socket.binaryMessageHandler(null);
    return socket;
  }

  /** Sends the answer and closes. */
  void done(Object answer) {
    if (socket.isClosed()) {
      return;
    }
    socket.resume();
    socket.writeTextMessage(Json.encode(answer).toString());
    socket.close(NORMAL, "");
  }

  /** Another one came and this one waited longest. */
  void makeRoom() {
    close(LATER, "too many browsers wait here and this one waited longest; try again");
  }

  /** Says what stood in the way, if that is the browser's to know. */
  void refuse(Throwable failure) {
    boolean told =
        failure instanceof ConsoleException
            || (failure instanceof SecurityRefusal refusal
                && refusal.code() != SecurityRefusal.Code.STORAGE);
    if (told) {
      refuse(failure.getMessage());
    } else {
      LOG.error("the proof of the browser at {} could not be checked", peer(), failure);
      close(LATER, "the node cannot check browsers now; try again");
    }
  }

  private void refuse(String why) {
    LOG.warn("browser at {} refused: {}", peer(), why);
    close(REFUSED, why);
  }

  private void close(short code, String why) {
    answered = true;
    vertx.cancelTimer(timer);
    if (socket.isClosed()) {
      return;
    }
    socket.resume();
    socket.writeTextMessage(Json.encode(new Refused(why)).toString());
    String reason = why.replaceAll("[^ -~]", "?");
    socket.close(code, reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
  }

  private String peer() {
    return socket.remoteAddress().toString();
  }
}

package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The letters between this cell and others; for one thread. Each pair of cells numbers its letters;
 * the sender keeps one until it is acknowledged and sends it again when that is overdue, and the
 * receiver reads each once and in order. So what cells tell each other survives a network that
 * loses and repeats, and a cell that goes on elsewhere.
 */
final class Letters {

  /** Letters kept for others above which no new operation begins. */
  static final int MOST_KEPT = 100_000;

  private static final long ACKNOWLEDGE_AFTER_MILLIS = 100;
  private static final long OVERDUE_AFTER_MILLIS = 2_000;

  /** Letters sent again at once to one cell; the rest follows when these are acknowledged. */
  private static final int SENT_AGAIN_AT_ONCE = 1_024;

  /** Letters from one cell that wait for an earlier one; above, they must be sent again. */
  private static final int MOST_EARLY = 1_024;

  private final Context context;
  private final Map<Integer, Peer> peers = new TreeMap<>();
  private int kept;
  private Deadlines.Handle acknowledging;
  private Deadlines.Handle repeating;

  /** What is between this cell and another one. */
  private static final class Peer {
    /** Sent and not acknowledged; the last of them has the number {@link #sent}. */
    final ArrayDeque<Message> kept = new ArrayDeque<>();

    long sent;

    /** Letters up to this one had been sent when it was last looked what is overdue. */
    long old;

    /** The last letter that was sent again, until it is acknowledged; else 0. */
    long sentAgain;

    /** The last letter from there that was read. */
    long read;

    /** Came before the one that is to be read next. */
    final TreeMap<Long, Message> early = new TreeMap<>();

    boolean owesAcknowledgement;

    long firstKept() {
      return sent - kept.size() + 1;
    }
  }

  Letters(Context context) {
    this.context = context;
  }

  private Peer peer(int cell) {
    return peers.computeIfAbsent(cell, c -> new Peer());
  }

  void send(int to, Message content) {
    Peer peer = peer(to);
    peer.kept.add(content);
    kept++;
    post(to, peer, ++peer.sent, content);
    if (repeating == null) {
      repeatLater();
    }
  }

  private void post(int to, Peer peer, long number, Message content) {
    peer.owesAcknowledgement = false;
    context.out().send(to, new Message.Letter(context.cell, number, peer.read, content));
  }

  /** Notes a letter; {@link #next} says what can be read now. */
  void on(Message.Letter letter) {
    Peer peer = peer(letter.from());
    acknowledged(letter.from(), peer, letter.read());
    peer.owesAcknowledgement = true;
    if (acknowledging == null) {
      acknowledging =
          context.deadlines.add(
              Deadlines.after(context.now(), ACKNOWLEDGE_AFTER_MILLIS), this::acknowledge);
    }
    boolean next = letter.number() == peer.read + 1;
    if (next || (letter.number() > peer.read && peer.early.size() < MOST_EARLY)) {
      peer.early.put(letter.number(), letter.content());
    }
  }

  /** The next letter of that cell, or null if it has not come yet. */
  Message next(int from) {
    Peer peer = peer(from);
    Message content = peer.early.remove(peer.read + 1);
    if (content != null) {
      peer.read++;
    }
    return content;
  }

  void on(Message.Received message) {
    acknowledged(message.from(), peer(message.from()), message.read());
  }

  private void acknowledged(int cell, Peer peer, long read) {
    while (!peer.kept.isEmpty() && peer.firstKept() <= read) {
      peer.kept.remove();
      kept--;
    }
    if (peer.sentAgain != 0 && peer.sentAgain <= read) {
      peer.sentAgain = 0;
      sendAgain(cell, peer);
    }
  }

  private void acknowledge() {
    acknowledging = null;
    peers.forEach(
        (cell, peer) -> {
          if (peer.owesAcknowledgement) {
            peer.owesAcknowledgement = false;
            context.out().send(cell, new Message.Received(context.cell, peer.read));
          }
        });
  }

  private void repeatLater() {
    repeating =
        context.deadlines.add(Deadlines.after(context.now(), OVERDUE_AFTER_MILLIS), this::repeat);
  }

  private void repeat() {
    repeating = null;
    peers.forEach(
        (cell, peer) -> {
          sendAgain(cell, peer);
          peer.old = peer.sent;
        });
    if (kept > 0) {
      repeatLater();
    }
  }

  /** Sends again what is old and not acknowledged. */
  private void sendAgain(int cell, Peer peer) {
    long number = peer.firstKept();
    List<Message> again = new ArrayList<>();
    for (Message content : peer.kept) {
      if (number + again.size() > peer.old || again.size() == SENT_AGAIN_AT_ONCE) {
        break;
      }
      again.add(content);
    }
    for (Message content : again) {
      post(cell, peer, number, content);
      peer.sentAgain = number++;
    }
  }

  /** Sends again what is not acknowledged: this cell goes on elsewhere, the network may be new. */
  void takenOver() {
    peers.forEach(
        (cell, peer) -> {
          peer.old = peer.sent;
          sendAgain(cell, peer);
        });
  }

  /** Whether a cell has not acknowledged all that it was told. */
  boolean isWaitingFor(int cell) {
    Peer peer = peers.get(cell);
    return peer != null && !peer.kept.isEmpty();
  }

  /** Whether others have not acknowledged so much that no new operation should begin. */
  boolean isFull() {
    return kept >= MOST_KEPT;
  }

  /** Letters that are not acknowledged. */
  int size() {
    return kept;
  }

  void save(StateWriter to) {
    to.handle(acknowledging);
    to.handle(repeating);
    to.count(peers.size());
    peers.forEach(
        (cell, peer) -> {
          to.count(cell);
          to.list(peer.kept, MessageCodec::write);
          to.count(peer.sent);
          to.count(peer.old);
          to.count(peer.sentAgain);
          to.count(peer.read);
          to.flag(peer.owesAcknowledgement);
          to.count(peer.early.size());
          peer.early.forEach(
              (number, content) -> {
                to.count(number);
                MessageCodec.write(to, content);
              });
        });
  }

  void load(StateReader from) {
    acknowledging = from.handle();
    if (acknowledging != null) {
      context.deadlines.restore(acknowledging, this::acknowledge);
    }
    repeating = from.handle();
    if (repeating != null) {
      context.deadlines.restore(repeating, this::repeat);
    }
    for (int rest = from.size(); rest > 0; rest--) {
      Peer peer = peer(from.size());
      peer.kept.addAll(from.list(MessageCodec::read));
      kept += peer.kept.size();
      peer.sent = from.count();
      peer.old = from.count();
      peer.sentAgain = from.count();
      peer.read = from.count();
      peer.owesAcknowledgement = from.flag();
      for (int early = from.size(); early > 0; early--) {
        peer.early.put(from.count(), MessageCodec.read(from));
      }
    }
  }
}

package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The questions that operations of this cell have put to buckets and that are not over. */
final class Questions {
  /** Kinds of those who ask, in images. */
  static final int CALL = 1;

  static final int REGISTRATION = 2;
  private static final int LEAVER = 3;

  private final Context context;
  private final Map<Long, Asker> open = new LinkedHashMap<>();

  /** Hears the answers to its questions; answers that make no sense for it do not come. */
  interface Asker {
    default void offered(ProbeId id, List<EncodedEntry> entries) {}

    default void nothing(ProbeId id, boolean locked) {}

    default void scouted(Message.Scouted answer) {}

    default void done(ProbeId id, List<Reply.Granted> leases) {}

    default void listed(Message.Listing listing) {}

    default void watching(ProbeId id) {}

    void refused(ProbeId id, Reply.Refused refusal);

    /** Writes who it is. */
    void saveReference(StateWriter to);
  }

  Questions(Context context) {
    this.context = context;
  }

  ProbeId ask(Asker asker) {
    ProbeId id = new ProbeId(context.cell, context.number());
    open.put(id.number(), asker);
    return id;
  }

  /** The answer, if another comes, is of no interest. */
  void over(ProbeId id) {
    open.remove(id.number());
  }

  /** Leaves a probe that has not answered yet: when it does, it is told to give up. */
  void leave(ProbeId id, BucketKey bucket) {
    open.put(id.number(), new Leaver(bucket));
  }

  /** Declines whatever comes first, so that the bucket never hears the end before the question. */
  private final class Leaver implements Asker {
    private final BucketKey bucket;

    Leaver(BucketKey bucket) {
      this.bucket = bucket;
    }

    @Override
    public void offered(ProbeId id, List<EncodedEntry> entries) {
      decline(id);
    }

    @Override
    public void nothing(ProbeId id, boolean locked) {
      decline(id);
    }

    @Override
    public void refused(ProbeId id, Reply.Refused refusal) {
      over(id);
    }

    @Override
    public void saveReference(StateWriter to) {
      to.count(LEAVER);
      to.bucket(bucket);
    }

    private void decline(ProbeId id) {
      over(id);
      context.send(bucket.cell(context.cells), new Message.Settle(id, bucket, false));
    }
  }

  void on(Message.Offer message) {
    Asker asker = open.get(message.id().number());
    if (asker != null) {
      asker.offered(message.id(), message.entries());
    }
  }

  void on(Message.Nothing message) {
    Asker asker = open.get(message.id().number());
    if (asker != null) {
      asker.nothing(message.id(), message.locked());
    }
  }

  void on(Message.Scouted message) {
    Asker asker = open.remove(message.id().number());
    if (asker != null) {
      asker.scouted(message);
    }
  }

  void on(Message.PutDone message) {
    Asker asker = open.remove(message.id().number());
    if (asker != null) {
      asker.done(message.id(), message.leases());
    }
  }

  void on(Message.Listing message) {
    Asker asker = open.remove(message.id().number());
    if (asker != null) {
      asker.listed(message);
    }
  }

  void on(Message.Watching message) {
    Asker asker = open.remove(message.id().number());
    if (asker != null) {
      asker.watching(message.id());
    }
  }

  void on(Message.ProbeRefused message) {
    Asker asker = open.remove(message.id().number());
    if (asker != null) {
      asker.refused(message.id(), message.refusal());
    }
  }

  int size() {
    return open.size();
  }

  void save(StateWriter to) {
    to.count(open.size());
    open.forEach(
        (number, asker) -> {
          to.count(number);
          asker.saveReference(to);
        });
  }

  void load(
      StateReader from,
      Function<StateReader, Call> calls,
      Function<StateReader, Asker> registrations) {
    for (int rest = from.size(); rest > 0; rest--) {
      long number = from.count();
      int kind = from.size();
      open.put(
          number,
          switch (kind) {
            case CALL -> (Asker) calls.apply(from).work();
            case REGISTRATION -> registrations.apply(from);
            case LEAVER -> new Leaver(from.bucket());
            default -> throw StateReader.malformed("who asks is of kind " + kind);
          });
    }
  }
}

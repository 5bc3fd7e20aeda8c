package io.gleaner.space.core;

import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The buckets of this cell, and the questions that reach them. */
final class Buckets {
  private static final Reply.Refused TOO_MANY_CLASSES =
      new Reply.Refused(Reply.Refusal.LIMIT, "this space has as many entry classes as it may have");

  private final Context context;
  private final Directories directories;
  private final Participants participants;
  private final Map<BucketKey, Bucket> byKey = new LinkedHashMap<>();
  private final List<Bucket> byNumber = new ArrayList<>();

  Buckets(Context context, Directories directories, Participants participants) {
    this.context = context;
    this.directories = directories;
    this.participants = participants;
  }

  private Bucket bucket(BucketKey key) {
    Bucket bucket = byKey.get(key);
    if (bucket == null) {
      bucket = new Bucket(context, key, byNumber.size());
      byKey.put(key, bucket);
      byNumber.add(bucket);
    }
    return bucket;
  }

  /** The bucket of an entry's lease. */
  Optional<Bucket> ofLease(String home) {
    int number = EntryHome.bucketOf(home);
    return EntryHome.cellOf(home) == context.cell && number >= 0 && number < byNumber.size()
        ? Optional.of(byNumber.get(number))
        : Optional.empty();
  }

  void on(Message.Put message) {
    directories.whenAnnounced(
        message.bucket().space(),
        message.bucket().type(),
        accepted -> {
          if (accepted) {
            participants.within(
                message.transaction(),
                by -> putNow(message, by),
                () -> refuse(message.id(), Participants.UNKNOWN));
          } else {
            refuse(message.id(), TOO_MANY_CLASSES);
          }
        });
  }

  private void putNow(Message.Put message, Participation by) {
    List<Reply.Granted> leases = bucket(message.bucket()).put(message, by);
    context.send(message.id().cell(), new Message.PutDone(message.id(), leases));
  }

  void on(Message.Probe message) {
    participants.within(
        message.transaction(),
        by -> bucket(message.bucket()).probe(message, by),
        () -> refuse(message.id(), Participants.UNKNOWN));
  }

  void on(Message.Page message) {
    participants.within(
        message.transaction(),
        by -> context.send(message.id().cell(), bucket(message.bucket()).page(message, by)),
        () -> refuse(message.id(), Participants.UNKNOWN));
  }

  void on(Message.Settle message) {
    Participation by = bucket(message.bucket()).settle(message.id(), message.accepted());
    participants.reservationsChanged(by);
  }

  void on(Message.Watch message) {
    bucket(message.bucket()).watches().add(message.watcher());
    context.send(message.id().cell(), new Message.Watching(message.id()));
  }

  void on(Message.Unwatch message) {
    bucket(message.bucket()).watches().remove(message.registration());
  }

  void restartLeases() {
    byNumber.forEach(Bucket::restartLeases);
  }

  /** Entries of transient classes are gone after a restart, whatever was on disk of them. */
  void dropTransient() {
    for (Bucket bucket : byNumber) {
      if (bucket.key().type().transientEntries()) {
        bucket.dropAll();
      }
    }
  }

  private void refuse(ProbeId id, Reply.Refused refusal) {
    context.send(id.cell(), new Message.ProbeRefused(id, refusal));
  }

  Census census() {
    Census sum = Census.NOTHING;
    for (Bucket bucket : byNumber) {
      sum = sum.plus(bucket.census());
    }
    return sum;
  }
}
